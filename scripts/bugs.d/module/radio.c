// SPDX-License-Identifier: GPL-2.0
/*
 * The driver of a radio without hardware. A timer receives frames into socket buffers, in
 * softirq, and queues them; a work takes them from the queue and frees them. With bug=1 the work
 * forgets those with a bad checksum.
 */
#include <linux/module.h>
#include <linux/skbuff.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

static bool bug;
module_param(bug, bool, 0644);

static struct sk_buff_head radio_frames;
static struct timer_list radio_timer;
static u8 radio_count;

static noinline bool radio_frame_valid(struct sk_buff *skb)
{
	return skb->data[0] % 4;
}

static void radio_deliver(struct work_struct *work)
{
	struct sk_buff *skb;

	while ((skb = skb_dequeue(&radio_frames))) {
		if (bug && !radio_frame_valid(skb))
			continue;
		consume_skb(skb);
	}
}
static DECLARE_WORK(radio_work, radio_deliver);

static noinline void radio_receive(void)
{
	struct sk_buff *skb = alloc_skb(300, GFP_ATOMIC);

	if (!skb)
		return;
	skb_put_u8(skb, radio_count++);
	skb_queue_tail(&radio_frames, skb);
	schedule_work(&radio_work);
}

static void radio_poll(struct timer_list *timer)
{
	radio_receive();
	mod_timer(timer, jiffies + 1);
}

static int __init radio_init(void)
{
	skb_queue_head_init(&radio_frames);
	timer_setup(&radio_timer, radio_poll, 0);
	mod_timer(&radio_timer, jiffies + 1);
	return 0;
}
module_init(radio_init);

static void __exit radio_exit(void)
{
	timer_shutdown_sync(&radio_timer);
	cancel_work_sync(&radio_work);
	skb_queue_purge(&radio_frames);
}
module_exit(radio_exit);

MODULE_DESCRIPTION("A radio that forgets bad frames");
MODULE_LICENSE("GPL");
