// SPDX-License-Identifier: GPL-2.0
/*
 * Registering probes on markers, see <linux/marker.h>.
 */
#include <linux/export.h>
#include <linux/marker.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>

/* Held over each change of a struct marker. */
static DEFINE_MUTEX(marker_mutex);

static void *marker_probe(struct marker *marker)
{
	lockdep_assert_held(&marker_mutex);
	return marker->call_key->func;
}

static void marker_set_probe(struct marker *marker, void *probe)
{
	lockdep_assert_held(&marker_mutex);
	__static_call_update(marker->call_key, marker->call_tramp, probe);
}

/**
 * marker_probe_register - have a probe called at every site of a marker
 * @marker: the marker
 * @probe: a function that takes @data first, then what the marker declares
 * @data: handed to @probe as it is
 *
 * Use register_marker_<name>(), which checks the type of @probe. The probe
 * runs with preemption off, in whatever context the site is in.
 *
 * Context: task, may sleep; and the boot CPU before the scheduler is up.
 * Return: 0, or -EBUSY when the marker has a probe.
 */
int marker_probe_register(struct marker *marker, void *probe, void *data)
{
	int ret = 0;

	mutex_lock(&marker_mutex);
	if (marker_probe(marker) != marker->nop) {
		ret = -EBUSY;
		goto unlock;
	}
	if (marker->data != data) {
		WRITE_ONCE(marker->data, data);
		/*
		 * A site of an earlier registration may have read the old data
		 * and not called yet: let it reach the nop, not @probe.
		 */
		synchronize_rcu();
	}
	marker_set_probe(marker, probe);
	static_branch_enable(&marker->key);
unlock:
	mutex_unlock(&marker_mutex);
	return ret;
}
EXPORT_SYMBOL_GPL(marker_probe_register);

/**
 * marker_probe_unregister - undo marker_probe_register()
 * @marker: the marker
 * @probe: what was registered
 *
 * When this returns the probe is not running and will not be called again.
 *
 * Context: task, may sleep.
 * Return: 0, or -ENOENT when @probe is not registered on @marker.
 */
int marker_probe_unregister(struct marker *marker, void *probe)
{
	int ret = 0;

	mutex_lock(&marker_mutex);
	if (marker_probe(marker) != probe) {
		ret = -ENOENT;
		goto unlock;
	}
	static_branch_disable(&marker->key);
	/*
	 * A site that was preempted after it saw the key true reaches the nop
	 * from here on; those in the probe have preemption off and end.
	 */
	marker_set_probe(marker, marker->nop);
	synchronize_rcu();
unlock:
	mutex_unlock(&marker_mutex);
	return ret;
}
EXPORT_SYMBOL_GPL(marker_probe_unregister);
