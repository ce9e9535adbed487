#!/usr/bin/perl
# Becomes the SSH server of the panel, in a view of the machine of its own (see `serviceOf` in service.ts): /etc is
# BASE/ssh/etc, whose users are the SFTP accounts and nobody else, and /run is empty. With a second argument it only
# tries that configuration.
#
# Only modules of perl-base, which every Debian has.
use strict;
use warnings;

my ( $base, $candidate ) = @ARGV;
die "usage: launch.pl BASE [CONFIGURATION]\n" unless defined $base && $base =~ m{^(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$};

sub run { system(@_) == 0 or die "$_[0] failed\n" }

umask 0022;
run( '/usr/bin/mount', '-t', 'tmpfs', '-o', 'mode=0755,size=4m,nr_inodes=4096', 'tmpfs', '/run' );
# `sshd` is where it waits without rights, `v` what a session sees, `guesses` wrong passwords by address.
mkdir "/run/$_", 0755 or die "/run/$_: $!\n" for qw(sshd v);
mkdir '/run/guesses', 0700 or die "/run/guesses: $!\n";
run( '/usr/bin/mount', '--bind', "$base/ssh/etc", '/etc' );
my @how = defined $candidate ? ( '-t', '-f', $candidate ) : ( '-D', '-e', '-f', "$base/ssh/sshd_config" );
exec '/usr/sbin/sshd', @how or die "sshd: $!\n";
