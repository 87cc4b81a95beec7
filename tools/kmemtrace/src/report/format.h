/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers for people, and values for JSON.
 */
#ifndef KMEMTRACE_FORMAT_H
#define KMEMTRACE_FORMAT_H

#include <stdint.h>
#include <stdio.h>

#include <json-c/json.h>

#include "common/memory.h"
#include "common/number.h"

/* Each gives a string that lives as long as the block it is used in. */
#define BYTES(n)	format_bytes((char[FORMAT_LEN]) { 0 }, n)
#define TIME(ns)	format_time((char[FORMAT_LEN]) { 0 }, ns)
#define PERCENT(part, whole) \
	format_percent((char[FORMAT_LEN]) { 0 }, part, whole)
#define ERROR(value, error) \
	format_error((char[FORMAT_LEN]) { 0 }, value, error)
#define CHANGE(format, before, after) \
	format_change((char[FORMAT_LEN + 1]) { 0 }, format, before, after)

const char *format_bytes(char *buf, uint64_t n);
const char *format_time(char *buf, uint64_t ns);
const char *format_percent(char *buf, uint64_t part, uint64_t whole);
const char *format_error(char *buf, uint64_t value, uint64_t error);
char format_level(uint64_t value, uint64_t most);
const char *format_change(char *buf,
			  const char *(*format)(char *buf, uint64_t n),
			  uint64_t before, uint64_t after);

/* Version of the schema of JSON: changes when a member changes or is removed. */
#define JSON_SCHEMA_VERSION	2

/* Return @obj; end the program if there was no memory for it. */
static inline json_object *must_json(json_object *obj)
{
	if (!obj)
		out_of_memory();
	return obj;
}

/* End the program if a value could not be added. */
static inline void must_add(int error)
{
	if (error)
		out_of_memory();
}

/* Without memory, these return NULL, which as a value means null. No caller checks that. */
#define json_object_new_array()		must_json(json_object_new_array())
#define json_object_new_boolean(value)	must_json(json_object_new_boolean(value))
#define json_object_new_int(value)	must_json(json_object_new_int(value))
#define json_object_new_int64(value)	must_json(json_object_new_int64(value))
#define json_object_new_object()	must_json(json_object_new_object())
#define json_object_new_uint64(value)	must_json(json_object_new_uint64(value))
#define json_object_new_string_len(text, len) \
	must_json(json_object_new_string_len(text, len))
#define json_object_array_add(array, value)	must_add(json_object_array_add(array, value))
#define json_object_object_add(obj, key, value) \
	must_add(json_object_object_add(obj, key, value))

void print_json(json_object *obj, FILE *out);
void print_json_line(json_object *obj, FILE *out);
void print_member_name(const char *name, FILE *out);
void print_member(const char *name, json_object *value, FILE *out);
void add_u64(json_object *obj, const char *key, uint64_t value);
void write_names(char *buf, size_t size, const char *before, const char *(*name_at)(size_t i),
		 const char *after);
json_object *text_json(const char *text);
void add_str(json_object *obj, const char *key, const char *value);

#endif /* KMEMTRACE_FORMAT_H */
