// SPDX-License-Identifier: GPL-2.0-or-later
/* The generator of source trees: a program is put together from the functions of sources.txt. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/random.h"
#include "workload/sources.h"
#include "workload/tree.h"

/* Sources in one directory: about as many as in one of a kernel. */
#define PER_DIRECTORY 24
/* Functions of one source. At -O2 a source takes 0.15 s of a CPU, about as one of a kernel. */
#define FUNCTIONS_MIN 2
#define FUNCTIONS_MAX 5

/* The sections of sources_text, parted by lines "%%". */
enum {
	SECTION_HEADER, /* the head of tree.h, up to the prototypes */
	SECTION_MAKEFILE, /* its head */
	SECTION_RULES, /* its rules, behind OBJECTS and VPATH */
	SECTION_FUNCTIONS, /* each has static long work_@(long a, long b) and what it needs */
};

struct section {
	const char *text;
	size_t size;
};

struct text {
	char *data;
	size_t size;
};

static void text_done(struct text *text)
{
	free(text->data);
}

/* An expression over a and b that no other place has. */
static void put_expression(FILE *out, struct random *random, unsigned depth)
{
	static const char *const operators[] = { "+", "-", "*", "^", "&", "|", "+", "^" };

	if (depth == 0) {
		switch (random_below(random, 4)) {
		case 0: fprintf(out, "%uL", 3 + (unsigned)random_below(random, 995)); break;
		case 1: fputs("a", out); break;
		default: fputs("b", out); break;
		}
		return;
	}
	fputs("((", out);
	put_expression(out, random, depth - 1);
	fprintf(out, " >> %u) %s ", (unsigned)random_below(random, 4),
		operators[random_below(random, ARRAY_SIZE(operators))]);
	put_expression(out, random, depth - 1);
	fputc(')', out);
}

static unsigned count_sections(void)
{
	unsigned n = 1;

	for (const char *at = sources_text; (at = strstr(at, "%%\n")); at += 3)
		n++;
	return n;
}

static struct section find_section(unsigned index)
{
	const char *at = sources_text, *end;

	for (; index; index--)
		at = strstr(at, "%%\n") + 3;
	end = strstr(at, "%%\n");
	return (struct section) { at, end ? (size_t)(end - at) : strlen(at) };
}

static void put_section(FILE *out, unsigned index)
{
	struct section section = find_section(index);

	fwrite(section.text, 1, section.size, out);
}

/*
 * Writes a template: `@` in it is the function's number in its file, `~` a number from 3 to 997,
 * `$` an expression over the longs a and b; both are drawn anew at each place.
 */
static void put_template(FILE *out, struct section section, unsigned id, struct random *random)
{
	for (const char *text = section.text; text < section.text + section.size; text++) {
		switch (*text) {
		case '@': fprintf(out, "%u", id); break;
		case '~': fprintf(out, "%u", 3 + (unsigned)random_below(random, 995)); break;
		case '$': put_expression(out, random, 1 + (unsigned)random_below(random, 3)); break;
		default: fputc(*text, out); break;
		}
	}
}

static void put_module(FILE *out, uint64_t number, struct random *random)
{
	static const char call[] = "\ta += work_@(a, $);\n";
	unsigned templates_n = count_sections() - SECTION_FUNCTIONS;
	unsigned n =
		FUNCTIONS_MIN + (unsigned)random_below(random, FUNCTIONS_MAX - FUNCTIONS_MIN + 1);

	fputs("#include \"tree.h\"\n\n", out);
	for (unsigned i = 0; i < n; i++) {
		unsigned which = (unsigned)random_below(random, templates_n);

		put_template(out, find_section(SECTION_FUNCTIONS + which), i, random);
		fputc('\n', out);
	}
	fprintf(out, "long module_%05llu(long a, long b)\n{\n", (unsigned long long)number);
	for (unsigned i = 0; i < n; i++)
		put_template(out, (struct section) { call, sizeof(call) - 1 }, i, random);
	fputs("\treturn a ^ b;\n}\n", out);
}

static void put_main(FILE *out, uint64_t files)
{
	fputs("#include \"tree.h\"\n\nint main(int argc, char **argv)\n{\n\tlong a = argc, b = 0;"
	      "\n\n\t(void)argv;\n",
		out);
	for (uint64_t i = 1; i < files; i++)
		fprintf(out, "\tb += module_%05llu(a, b);\n", (unsigned long long)i);
	fputs("\tprintf(\"%ld\\n\", a + b);\n\treturn 0;\n}\n", out);
}

static void put_header(FILE *out, uint64_t files)
{
	put_section(out, SECTION_HEADER);
	for (uint64_t i = 1; i < files; i++)
		fprintf(out, "long module_%05llu(long a, long b);\n", (unsigned long long)i);
	fputs("\n#endif\n", out);
}

static void put_makefile(FILE *out, uint64_t files)
{
	put_section(out, SECTION_MAKEFILE);
	fputs("OBJECTS := main.o", out);
	for (uint64_t i = 1; i < files; i++)
		fprintf(out, " m%05llu.o", (unsigned long long)i);
	fprintf(out, "\nVPATH := $(TREE)");
	for (uint64_t i = 0; i * PER_DIRECTORY < files; i++)
		fprintf(out, ":$(TREE)/d%03llu", (unsigned long long)i);
	put_section(out, SECTION_RULES);
}

/* Which file of the tree, and what its writer needs. */
struct source {
	enum {
		SOURCE_MAKEFILE,
		SOURCE_HEADER,
		SOURCE_MAIN,
		SOURCE_MODULE
	} kind;
	uint64_t number;
};

static int put_source(const char *path, const struct tree_sources *tree,
	const struct source *source, struct error *err)
{
	const struct random seed = { tree->seed };
	struct random random = random_fork(&seed, source->number);
	struct text text CLEANUP(text_done) = { 0 };
	FILE *out CLEANUP(close_file) = open_memstream(&text.data, &text.size);

	if (!out)
		return error_errno(err, -ENOMEM, "cannot make %s", path);
	switch (source->kind) {
	case SOURCE_MAKEFILE: put_makefile(out, tree->files); break;
	case SOURCE_HEADER: put_header(out, tree->files); break;
	case SOURCE_MAIN: put_main(out, tree->files); break;
	case SOURCE_MODULE: put_module(out, source->number, &random); break;
	}
	if (fflush(out) != 0 || ferror(out))
		return error_errno(err, -ENOMEM, "cannot make %s", path);
	return file_write(path, text.data, text.size, err);
}

int tree_make_sources(const char *path, const void *data, struct error *err)
{
	static const struct {
		const char *name;
		struct source source;
	} tops[] = {
		{ "Makefile", { SOURCE_MAKEFILE, 0 } },
		{ "tree.h", { SOURCE_HEADER, 0 } },
		{ "main.c", { SOURCE_MAIN, 0 } },
	};
	const struct tree_sources *tree = data;
	char name[PATH_MAX];
	int r = directory_make(path, err);

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(tops); i++) {
		snprintf(name, sizeof(name), "%s/%s", path, tops[i].name);
		r = put_source(name, tree, &tops[i].source, err);
	}
	for (uint64_t i = 1; r == 0 && i < tree->files; i++) {
		unsigned long long directory = i / PER_DIRECTORY;

		snprintf(name, sizeof(name), "%s/d%03llu", path, directory);
		r = directory_make(name, err);
		if (r < 0)
			break;
		snprintf(name, sizeof(name), "%s/d%03llu/m%05llu.c", path, directory,
			(unsigned long long)i);
		r = put_source(name, tree, &(struct source) { SOURCE_MODULE, i }, err);
	}
	return r;
}
