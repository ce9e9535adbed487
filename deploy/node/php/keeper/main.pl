#!/usr/bin/perl
# Keeps the listening socket of each client's PHP, starts a client's PHP-FPM in a cage of its own at the first
# connection, and ends it when nobody has asked for a while. Runs as root and outlives the panel, which tells it by
# files below the base directory what is wanted, and by a control socket that they have changed.
#
#   f/keeper.conf      settings, see read_settings
#   f/sendmail.pl      what customers' programs send mail by
#   f/failed.php       what runs before each program of a site
#   f/pool.conf        PHP-FPM's configuration with @ID@, @HOME@, @LOG@ and numbers of workers
#   f/wanted/<client>  a client, see read_wanted
#   f/site/<site>      settings of a site's PHP, see settings_of
#   f/<version>/<client>.s  the sockets that the web server passes requests to
#   run/control.s      commands, see obey
#   run/cages-*.s      where a panel waits for the streams of programs that it runs as clients, see begin_run
#   run/groups.json    where the control groups are
#   run/past/<client>  what control groups of its that are gone had counted, see keep_counts
#
# The other parts of the program follow it, see program.ts. Only modules of perl-base, which every Debian has.
use strict;
use warnings;
use Errno qw(EAGAIN EINTR ENOENT);
use Fcntl qw(:DEFAULT F_GETFD F_SETFD FD_CLOEXEC);
use POSIX ();
use Socket;

my $BACKLOG        = 511;
my $WORKERS        = 8;
my $LOOK_SECONDS   = 1;
my $FINISH_SECONDS = 130;    # PHP-FPM itself ends a request after 120.
my $CLOSE_SECONDS  = 10;
my $NAMED          = 10;     # Processes that an answer names.
my $STOP_SECONDS   = 3;
my $GROUP_SECONDS  = 3600;
my @COUNTS         = (
    'pids.events max', 'memory.events oom_kill', 'memory.oom_control oom_kill', 'cpuacct.usage -',
    'cpu.stat throttled_time', 'cpu.stat throttled_usec', 'cpu.stat usage_usec',
);
my @BACK_OFF       = ( 0, 1, 2, 5, 15, 30, 60 );
my $OPEN_FILES     = 65_536;
my $RENEW_SECONDS  = 60;
my $TICKS          = POSIX::sysconf( POSIX::_SC_CLK_TCK() );
# accept(2) and accept4(2), on x86_64 and aarch64, as /proc/<pid>/syscall tells them.
my %ACCEPT = map { $_ => 1 } ( POSIX::uname() )[4] eq 'x86_64' ? ( 43, 288 ) : ( 202, 242 );
# ppoll(2); IO::Poll is not in perl-base.
my $POLL           = ( POSIX::uname() )[4] eq 'x86_64' ? 271 : 73;
my $F_SETPIPE_SZ   = 1031;      # <linux/fcntl.h>
my $POLLHUPS       = 0x2010;    # POLLHUP and POLLRDHUP
my $FROM           = '/php.s';
my $CAGE_FILES     = 1024;
my $CAGE_PROCESSES = 512;         # Where no group bounds them.
my $CAGE_TMP       = 64 * 1048576;
my $SPOOL          = '/var/spool/panel-mail';    # As sendmail.pl knows it.

my ($base) = @ARGV;
die "usage: keeper.pl BASE\n" unless defined $base && $base =~ m{^(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$};
umask 0077;
chdir '/' or die "chdir: $!\n";
$| = 1;

my ( %settings, %client, %slot, %master, %closing, %connection, %by_fd, %emptied, %retry );
my %program;  # pid => a program that a panel runs as a client
my %ended;    # the same, once bwrap has gone
my %served;   # versions of PHP that a client has or had
my %counted;  # client => what the groups of its that are being removed have counted
my %group;    # controller => [version of control groups, directory of the clients' groups]
my %behind;   # controller => the group of what stays behind the clients, beside theirs
my $bits = '';
my @handed;   # stay open until bwrap has them
my @fresh;    # who waits for masters to take no more requests
my ( $control, $woken, $wake, $terminated, $renewed );
my $looked = 0;

read_settings();
set_limits();
pipe $woken, $wake or die "pipe: $!\n";
$_->blocking(0) for $woken, $wake;
# An earlier rotation of logs asks whatever is called php to open its log anew.
$SIG{$_} = 'IGNORE' for qw(PIPE USR1);
$SIG{CHLD} = sub { syswrite $wake, '.' };
$SIG{TERM} = $SIG{QUIT} = sub { $terminated = 1; syswrite $wake, '.' };
$SIG{HUP}  = sub { $renewed = 1; syswrite $wake, '.' };
find_groups() if $settings{cage};
take_over();
find_empty();
open_control() unless $control;
read_all();
watch( $_, 1 ) for $woken, $control;
run();

# One file for each listening socket; without the capability no further than the bound that it was given. And no cores,
# of its own or of what it starts: PHP-FPM takes its own `rlimit_core = 0` for not set.
sub set_limits {
    my ($most) = map { /^Max open files\s+\d+\s+(\d+)/ ? $1 : () } lines('/proc/self/limits');
    $most = $OPEN_FILES if !defined $most || $most > $OPEN_FILES;
    system '/usr/bin/prlimit', "--pid=$$", "--nofile=$most:", '--core=0:0';
}
