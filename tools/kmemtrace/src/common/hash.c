// SPDX-License-Identifier: GPL-2.0
/*
 * hash.c - seeds, and the hash of a text
 */
#include "config.h"

#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "common/hash.h"

/**
 * hash_seed - choose the seed of a table
 *
 * No result may depend on it.
 *
 * Return: a random number; early in the boot, and without the system call, one that
 * is still hard to predict.
 */
uint64_t hash_seed(void)
{
	struct timespec now;
	uint64_t seed;

	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) == sizeof(seed))
		return seed;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return hash_u64((uint64_t)now.tv_nsec ^ (uintptr_t)&now);
}

/* ---- SipHash-1-3, by Aumasson and Bernstein: its reference in small ---- */

struct sip {
	uint64_t a, b, c, d;
};

static uint64_t rotate_left(uint64_t word, unsigned int bits)
{
	return word << bits | word >> (64 - bits);
}

static void sip_round(struct sip *s)
{
	s->a += s->b;
	s->b = rotate_left(s->b, 13) ^ s->a;
	s->a = rotate_left(s->a, 32);
	s->c += s->d;
	s->d = rotate_left(s->d, 16) ^ s->c;
	s->a += s->d;
	s->d = rotate_left(s->d, 21) ^ s->a;
	s->c += s->b;
	s->b = rotate_left(s->b, 17) ^ s->c;
	s->c = rotate_left(s->c, 32);
}

static void sip_word(struct sip *s, uint64_t word)
{
	s->d ^= word;
	sip_round(s);
	s->a ^= word;
}

/**
 * hash_text - hash a text
 * @seed: hash_seed() of the table
 * @text: any bytes
 * @len: how many
 *
 * With a simple hash, a writer could choose the words of a long name such that they cancel
 * each other for any seed. SipHash withstands that.
 *
 * Return: the hash; all of its bits are good.
 */
uint64_t hash_text(uint64_t seed, const void *text, size_t len)
{
	struct sip s = {
		.a = seed ^ UINT64_C(0x736f6d6570736575),
		.b = ~seed ^ UINT64_C(0x646f72616e646f6d),
		.c = seed ^ UINT64_C(0x6c7967656e657261),
		.d = ~seed ^ UINT64_C(0x7465646279746573),
	};
	const unsigned char *bytes = text;
	size_t left = len;
	uint64_t word;

	for (; left >= sizeof(word); left -= sizeof(word), bytes += sizeof(word)) {
		memcpy(&word, bytes, sizeof(word));
		sip_word(&s, word);
	}
	word = 0;
	memcpy(&word, bytes, left);
	sip_word(&s, word ^ (uint64_t)len << 56);
	s.c ^= 0xff;
	sip_round(&s);
	sip_round(&s);
	sip_round(&s);
	return s.a ^ s.b ^ s.c ^ s.d;
}
