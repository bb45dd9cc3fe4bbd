// SPDX-License-Identifier: GPL-2.0-or-later
#include "test.h"

#include "kernel/apt.h"

static void a_line_names_the_mirror(void **state)
{
	struct apt_mirror mirror = { 0 };

	(void)state;
	assert_true(
		apt_parse_list("# deb http://x.debian.org/debian old main\n"
			       "deb-src http://deb.debian.org/debian bookworm main\n"
			       "deb [arch=amd64] https://packages.example.org/apt stable main\n"
			       "deb http://deb.debian.org/debian-security bookworm-security main\n"
			       "deb cdrom:[Debian 12]/ bookworm main\n"
			       "deb [arch=amd64 signed-by=/usr/share/keyrings/d.gpg] "
			       "http://deb.debian.org/debian/ bookworm contrib main # ours\n",
			&mirror));
	assert_string_equal(mirror.uri, "http://deb.debian.org/debian");
	assert_string_equal(mirror.suite, "bookworm");
	assert_string_equal(mirror.signed_by, "/usr/share/keyrings/d.gpg");
}

static void a_stanza_names_the_mirror(void **state)
{
	struct apt_mirror mirror = { 0 };

	(void)state;
	assert_true(apt_parse_deb822("Types: deb\nURIs: https://deb.nodesource.com/node_20.x\n"
				     "Suites: nodistro\nComponents: main\n\n"
				     "Types: deb\nEnabled: no\nURIs: http://off.debian.org/debian\n"
				     "Suites: sid\nComponents: main\n\n"
				     "Types: deb deb-src\n# a snapshot\n"
				     "URIs: http://deb.debian.org/debian\n"
				     "Suites: trixie trixie-updates\nComponents: main contrib\n"
				     "Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg\n",
		&mirror));
	assert_string_equal(mirror.uri, "http://deb.debian.org/debian");
	assert_string_equal(mirror.suite, "trixie");
	assert_string_equal(mirror.signed_by, "/usr/share/keyrings/debian-archive-keyring.gpg");
}

static void where_no_debian_is_named_there_is_no_mirror(void **state)
{
	struct apt_mirror mirror = { 0 };

	(void)state;
	assert_false(apt_parse_list("", &mirror));
	assert_false(apt_parse_list("deb\ndeb [\ndeb [x]\ndeb http://a\n", &mirror));
	assert_false(apt_parse_list("deb http://archive.ubuntu.com/ubuntu noble main\n", &mirror));
	assert_false(apt_parse_deb822("", &mirror));
	assert_false(apt_parse_deb822("Types: deb\nSuites: sid\n\n\n", &mirror));
}

static void a_field_is_of_the_first_paragraph(void **state)
{
	static const char text[] = "Package: linux-image-amd64\nVersion: 6.1.1-1\n"
				   "Depends: linux-image-6.1.0-1-amd64 (= 6.1.1-1), a | b, c:any\n"
				   "\nPackage: other\nHomepage: x\n";
	char value[128], name[64];
	const char *rest = value;

	(void)state;
	assert_true(apt_field(text, "Version", value, sizeof(value)));
	assert_string_equal(value, "6.1.1-1");
	assert_false(apt_field(text, "Homepage", value, sizeof(value)));
	assert_true(apt_field(text, "Depends", value, sizeof(value)));
	assert_string_equal(
		apt_next_dependency(&rest, name, sizeof(name)), "linux-image-6.1.0-1-amd64");
	assert_string_equal(apt_next_dependency(&rest, name, sizeof(name)), "a");
	assert_string_equal(apt_next_dependency(&rest, name, sizeof(name)), "c");
	assert_int_equal(*rest, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_names_the_mirror),
		cmocka_unit_test(a_stanza_names_the_mirror),
		cmocka_unit_test(where_no_debian_is_named_there_is_no_mirror),
		cmocka_unit_test(a_field_is_of_the_first_paragraph),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
