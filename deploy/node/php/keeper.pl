#!/usr/bin/perl
# Keeps the listening socket of each client's PHP, starts a client's PHP-FPM in a cage of its own at the first
# connection, and ends it when nobody has asked for a while. Runs as root and outlives the panel, which tells it by
# files below the base directory what is wanted, and by a control socket that they have changed.
#
#   f/keeper.conf      settings, see read_settings
#   f/sendmail.pl      what customers' programs send mail by
#   f/pool.conf        PHP-FPM's configuration with @ID@, @HOME@, @LOG@ and numbers of workers
#   f/wanted/<client>  a client, see read_wanted
#   f/site/<site>      settings of a site's PHP, see settings_of
#   f/<version>/<client>.s  the sockets that the web server passes requests to
#   run/control.s      commands, see obey
#   run/cages-*.s      where a panel waits for the streams of programs that it runs as clients, see begin_run
#   run/groups.json    where the control groups are
#   run/past/<client>  what control groups of its that are gone had counted, see keep_counts
#
# Only modules of perl-base, which every Debian has.
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

# What is wanted ------------------------------------------------------------------------------------------------

# Lines of a key and its value; anything else is refused.
sub read_settings {
    my %read = ( set => [], version => {} );
    for ( lines("$base/f/keeper.conf") ) {
        if    (/^cage (yes|no)$/)                                     { $read{cage} = $1 eq 'yes' }
        elsif (/^mail (yes|no)$/)                                     { $read{mail} = $1 eq 'yes' }
        elsif (m{^databases (/[\w./-]+)$})                           { $read{databases} = $1 }
        elsif (/^web (\d+) (\d+)$/)                                   { $read{web}  = [ $1, $2 ] }
        elsif (/^idle (\d+(?:\.\d+)?)$/)                              { $read{idle} = $1 }
        elsif (m{^version (\d{1,2}\.\d{1,2}) (/[\w./-]+) (\w+)$})     { $read{version}{$1} = [ $2, $3 ] }
        elsif (m{^set ([\w.]+=[\w./-]*)$})                            { push @{ $read{set} }, $1 }
        elsif (/^calls x86_64 ((?:[0-9a-f]{16})+)$/)                  { $read{calls}{x86_64}  = pack 'H*', $1 }
        elsif (/^calls aarch64 ((?:[0-9a-f]{16})+)$/)                 { $read{calls}{aarch64} = pack 'H*', $1 }
        else                                                          { die "settings: line not understood\n" }
    }
    die "settings: no cage or idle\n" unless defined $read{cage} && $read{idle};
    my $machine = ( POSIX::uname() )[4];
    $read{filter} = $read{calls}{$machine} or !$read{cage} or die "no filter of system calls for $machine\n";
    %settings = %read;
    $settings{pool}     = join '', map { "$_\n" } lines("$base/f/pool.conf");
    $settings{sendmail} = join '', map { "$_\n" } lines("$base/f/sendmail.pl");
}

# A client: its user, the versions of PHP, and limits, where `-` is none.
sub read_wanted {
    my ($id) = @_;
    my %read = ( versions => {} );
    for ( lines("$base/f/wanted/$id") ) {
        if    (/^user (\d{1,10}) (\d{1,10})$/)       { @read{qw(uid gid)} = ( $1, $2 ) }
        elsif (/^php (\d{1,2}\.\d{1,2})$/)           { $read{versions}{$1} = 1 }
        elsif (/^cpu (-|\d{1,7})$/)                  { $read{cpu} = $1 }
        elsif (/^memory (-|\d{1,16})$/)              { $read{memory} = $1 }
        elsif (/^processes (-|\d{1,7})$/)            { $read{processes} = $1 }
        else                                         { die "wanted/$id: line not understood\n" }
    }
    for (qw(cpu memory processes)) { die "wanted/$id: no $_\n" unless defined $read{$_} }
    die "wanted/$id: no user, or root\n" if $settings{cage} && grep { !( ( $read{$_} // 0 ) > 0 ) } qw(uid gid);
    return \%read;
}

sub lines {
    my ($path) = @_;
    open my $file, '<', $path or die "$path: $!\n";
    chomp( my @lines = <$file> );
    return @lines;
}

sub read_all {
    opendir my $names, "$base/f/wanted" or die "wanted: $!\n";
    for my $id ( grep { /^[1-9]\d{0,15}$/ } readdir $names ) {
        eval { ensure($id); 1 } or note("client $id: $@");
    }
    # Nobody listens at what an earlier keeper left of clients that were ended meanwhile.
    for my $path ( glob "$base/f/*/*.s" ) {
        unlink $path if $path =~ m{/f/([\d.]+)/(\d+)\.s$} && !$slot{"$1/$2"};
    }
}

# Brings a client's sockets and limits in line with what is wanted.
sub ensure {
    my ($id) = @_;
    my $wanted = read_wanted($id);
    my $before = $client{$id};
    $client{$id} = $wanted;
    if ( $before && ( $before->{uid} // '' ) ne ( $wanted->{uid} // '' ) ) {
        retire($_) for grep { $_->{id} == $id } values %master;
    }
    for my $version ( keys %{ $wanted->{versions} } ) {
        $served{$version} = 1;
        $slot{"$version/$id"} ||= listen_for( $id, $version );
    }
    for my $slot ( slots_of($id) ) {
        close_slot($slot) unless $wanted->{versions}{ $slot->{version} };
    }
    # One that began before a site, or before its settings, does not know of them.
    my $sites = settings_of_sites("$base/c/$id");
    $_->{old} ||= now() for grep { $_->{id} == $id && ( $_->{sites} // '' ) ne $sites } values %master;
    limit($id) if -d( group_of($id) // '/nowhere' );
}

sub slots_of { my ($id) = @_; return map { $slot{"$_/$id"} // () } keys %served }

# The web server's workers alone can connect. The path is there from the moment on that somebody listens.
sub listen_for {
    my ( $id, $version ) = @_;
    mkdir "$base/f/$version";
    chmod 0711, "$base/f/$version";
    my $path = "$base/f/$version/$id.s";
    socket my $listener, AF_UNIX, SOCK_STREAM, 0 or die "socket: $!\n";
    unlink "$path.n";
    bind $listener, sockaddr_un("$path.n") or die "$path: $!\n";
    chmod 0600, "$path.n";
    chown @{ $settings{web} }, "$path.n" if $settings{web};
    listen $listener, $BACKLOG or die "listen: $!\n";
    rename "$path.n", $path or die "$path: $!\n";
    return watch_slot( { id => $id, version => $version, path => $path, listener => $listener, failures => 0 } );
}

sub watch_slot {
    my ($slot) = @_;
    $by_fd{ fileno $slot->{listener} } = $slot;
    watch( $slot->{listener}, !$slot->{master} );
    return $slot;
}

sub close_slot {
    my ($slot) = @_;
    retire( $slot->{master} ) if $slot->{master};
    unlink $slot->{path};
    watch( $slot->{listener}, 0 );
    delete $by_fd{ fileno $slot->{listener} };
    close $slot->{listener};
    delete $slot{"$slot->{version}/$slot->{id}"};
}

# Whether somebody shut it, as each program can that inherited it: nobody can connect to it ever again.
sub is_shut {
    my ($listener) = @_;
    my $asked = pack 'iss', fileno $listener, 0x2000, 0;
    my $at_once = pack 'qq', 0, 0;
    return 0 unless syscall( $POLL, $asked, 1, $at_once, 0, 0 ) > 0;
    return ( unpack 'iss', $asked )[2] & $POLLHUPS;
}

# Puts a fresh socket in the place of one that was shut. What its master still answers ends with it.
sub replace_socket {
    my ($slot) = @_;
    my $fresh = eval { listen_for( @$slot{qw(id version)} ) };
    return fail( $slot, "socket: $@" ) unless $fresh;
    my $one = $slot->{master};
    $fresh->{failures} = $one && now() - $one->{since} > 60 ? 0 : $slot->{failures};
    if ($one) {
        kill_master($one);
        $one->{ending} = now();
    }
    watch( $slot->{listener}, 0 );
    delete $by_fd{ fileno $slot->{listener} };
    close $slot->{listener};
    $slot{"$slot->{version}/$slot->{id}"} = $fresh;
    fail( $fresh, 'its socket was shut' );
}

# Masters -------------------------------------------------------------------------------------------------------

sub start {
    my ($slot) = @_;
    my ( $id, $version ) = @$slot{qw(id version)};
    watch( $slot->{listener}, 0 );
    my $known = $settings{version}{$version};
    return fail( $slot, 'this version is not installed' ) unless $known;
    my $ready = eval { make_group($id); 1 };
    return fail( $slot, "control group: $@" ) unless $ready;
    pipe my $words, my $mouth or return fail( $slot, "pipe: $!" );
    my $pid = fork;
    return fail( $slot, "fork: $!" ) unless defined $pid;
    if ( !$pid ) {
        eval { become( $slot, $known->[0], $mouth ); 1 } or syswrite $mouth, $@;
        POSIX::_exit(127);
    }
    $words->blocking(0);
    $slot->{master} = $master{$pid} = {
        pid => $pid, slot => "$version/$id", id => $id, generation => $known->[1],
        since => now(), calm => now(), seen => '', words => $words, sites => settings_of_sites("$base/c/$id"),
    };
    delete $emptied{$id};
}

# In the new process: joins the client's group, so that nothing of it is ever outside, and becomes its PHP-FPM.
sub become {
    my ( $slot, $program, $mouth ) = @_;
    $SIG{$_} = 'DEFAULT' for qw(CHLD TERM QUIT HUP PIPE USR1);
    my $id     = $slot->{id};
    my $wanted = $client{$id};
    my $home   = "$base/c/$id";
    put( "$_->[1]/cp$id/cgroup.procs", 0 ) or die "control group: $!\n" for values %group;
    my $log = log_of( $home, $wanted );
    inherit( $_ ) for $slot->{listener}, $log;
    open STDIN, '<', '/dev/null' or die "/dev/null: $!\n";
    open STDOUT, '>&', $mouth or die "stdout: $!\n";
    open STDERR, '>&', $mouth or die "stderr: $!\n";
    umask 0027;
    my $workers = workers( $wanted->{processes} );
    my %part = (
        ID => $id, HOME => $home, LOG => '/proc/self/fd/' . fileno $log,
        WORKERS => $workers, SPARE => $workers < 4 ? $workers : 4, LEAST => $workers < 2 ? 1 : 2,
    );
    ( my $pool = $settings{pool} ) =~ s/\@([A-Z]+)\@/$part{$1}/g;
    my @set = map { ( '-d', $_ ) } @{ $settings{set} }, "opcache.lockfile_path=$home/tmp";
    my %environment = (
        PATH => '/usr/sbin:/usr/bin:/sbin:/bin', LANG => 'C.UTF-8', HOME => $home,
        FPM_SOCKETS => "$FROM=" . fileno $slot->{listener},
        # Beside its own place of settings.
        PHP_INI_SCAN_DIR => ':/etc/php/panel',
    );
    %ENV = %environment;
    if ( !$settings{cage} ) {
        my $config = "$base/f/$slot->{version}/$id.conf";
        open my $file, '>', $config or die "$config: $!\n";
        print $file $pool;
        close $file or die "$config: $!\n";
        exec $program, '--nodaemonize', '--fpm-config', $config, @set or die "$program: $!\n";
    }
    put( '/proc/self/oom_score_adj', 300 );
    my @cage = cage( $slot->{version}, $home, $id, $pool );
    my @user = ( "--reuid=$wanted->{uid}", "--regid=$wanted->{gid}", '--clear-groups' );
    exec '/usr/bin/bwrap', @cage, '--', '/usr/bin/setpriv', @user, '--no-new-privs', '--bounding-set=-all',
        '--inh-caps=-all', '--', $program, '--nodaemonize', '--fpm-config', '/etc/php/pool.conf', @set
        or die "bwrap: $!\n";
}

# As many as leave half of the client's processes to what they start; three are the cage's and PHP-FPM's own.
sub workers {
    my ($processes) = @_;
    return $WORKERS if $processes eq '-' || $processes >= 2 * $WORKERS + 3;
    return $processes > 5 ? int( ( $processes - 3 ) / 2 ) : 1;
}

# The view of the machine that the client's programs have: programs that everybody may read, its own tree, and
# nothing else that could be written, not even in memory.
sub cage {
    my ( $version, $home, $id, $pool ) = @_;
    return (
        machine( $id, $home, $home ), qw(--chdir /),
        '--ro-bind', "/etc/php/$version", "/etc/php/$version",
        qw(--perms 0444 --ro-bind-data), handed($pool), '/etc/php/pool.conf',
        qw(--perms 0755 --dir /etc/php/panel --perms 0444 --ro-bind-data), handed( settings_of_sites($home) ), '/etc/php/panel/sites.ini',
        # A tree below one of these, as in tests, leaves it closed: a customer could put links in the way to it.
        ( map { ( '--bind', "$home/tmp", $_ ) } grep { index( $home, "$_/" ) } '/tmp', '/var/tmp', '/dev/shm' ),
        '--bind', $home, $home, databases(),
        '--seccomp', handed( $settings{filter} ),
    );
}

# Each site's programs tell of their errors, and why a mail was not taken, in a file of the site's own, which the panel
# takes from there; and they have the site's own limits.
sub settings_of_sites {
    my ($home) = @_;
    return join '', map {
        my $log = "$home/logs/php-$_.log";
        my $mail = $settings{cage} ? "sendmail_path = /usr/bin/perl /etc/php/sendmail.pl -X $log -t -i\n" : '';
        "[PATH=$home/$_]\nerror_log = $log\n$mail" . settings_of($_)
    } sites_in($home);
}

# Lines of a name and a number; one that is not understood leaves the site with what all have.
sub settings_of {
    my ($site) = @_;
    return '' unless -e "$base/f/site/$site";
    my %name = (
        memory => ['memory_limit'], upload => [ 'upload_max_filesize', 'post_max_size' ], seconds => ['max_execution_time'],
        variables => ['max_input_vars'], errors => ['display_errors'],
    );
    my $set = '';
    for ( eval { lines("$base/f/site/$site") } ) {
        my ( $name, $number ) = /^([a-z]+) (\d{1,12})$/;
        return '' unless defined $number && $name{$name};
        $set .= "$_ = $number\n" for @{ $name{$name} };
    }
    return $set;
}

sub sites_in {
    my ($home) = @_;
    opendir my $names, $home or return;
    return sort { $a <=> $b } grep { /^[1-9]\d{0,15}$/ } readdir $names;
}

# What all cages of a client have: programs, devices, itself as a user, a way to leave mail. `@places` are directories
# that something is put into.
sub machine {
    my ( $id, $home, @places ) = @_;
    my $wanted = $client{$id};
    my $people = "root:x:0:0:root:/:/usr/sbin/nologin\ncp$id:x:$wanted->{uid}:$wanted->{gid}::$home:/usr/sbin/nologin\n"
        . "nobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n";
    my $groups = "root:x:0:\ncp$id:x:$wanted->{gid}:\nnogroup:x:65534:\n";
    my $mail   = "$base/c/$id/mail";
    my $spool  = $settings{mail} && -d $mail;
    my $told   = "$base/f/mail/$id";
    my @spool  = $spool ? ( $SPOOL, -d $told ? "$SPOOL.day" : () ) : ();
    my @shown  = map { ( '--ro-bind-try', "/etc/$_", "/etc/$_" ) } qw(ImageMagick-6 ca-certificates fonts gai.conf host.conf
        hosts ld.so.cache localtime magic mime.types nsswitch.conf protocols resolv.conf services ssl/certs ssl/openssl.cnf timezone);
    return (
        qw(--unshare-pid --unshare-ipc --unshare-uts --die-with-parent --new-session),
        qw(--ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/sbin /sbin --symlink usr/lib /lib),
        qw(--symlink usr/lib64 /lib64 --proc /proc),
        directories( '/etc/php', '/etc/ssl', '/tmp', '/var/tmp', '/dev/shm', @places, @spool ),
        # No terminals, as `--dev` has them: one client can take all that there are for all cages (kernel.pty.max).
        ( map { ( '--dev-bind', "/dev/$_", "/dev/$_" ) } qw(null zero full random urandom tty) ),
        qw(--symlink /proc/self/fd /dev/fd --symlink fd/0 /dev/stdin --symlink fd/1 /dev/stdout --symlink fd/2 /dev/stderr),
        @shown,
        qw(--perms 0444 --ro-bind-data), handed($people), '/etc/passwd',
        qw(--perms 0444 --ro-bind-data), handed($groups), '/etc/group',
        qw(--perms 0444 --ro-bind-data), handed( $settings{sendmail} ), '/etc/php/sendmail.pl',
        ( $spool ? ( '--bind', $mail, $SPOOL ) : () ),
        ( @spool > 1 ? ( '--ro-bind', $told, $spool[1] ) : () ),
    );
}

# The directory and not the socket, which is another one after each start. After what is mounted at /tmp, where tests
# have theirs.
sub databases {
    my $data = $settings{databases};
    return $data && -d $data ? ( directories($data), '--ro-bind', $data, $data ) : ();
}

# bwrap makes what leads to a mount for root alone.
sub directories {
    my @made;
    my %seen;
    for my $path (@_) {
        my $at = '';
        for ( grep { length } split m{/}, $path ) {
            $at .= "/$_";
            push @made, '--perms', '0755', '--dir', $at unless $seen{$at}++;
        }
    }
    return @made;
}

# A text as the number of an open file; a pipe holds 64 KiB without a reader, and more only when asked to.
sub handed {
    my ($text) = @_;
    pipe my $reader, my $writer or die "pipe: $!\n";
    fcntl $writer, $F_SETPIPE_SZ, length $text if length $text > 65_536;
    syswrite( $writer, $text ) == length $text or die "text too long\n";
    close $writer;
    inherit($reader);
    push @handed, $reader;
    return fileno $reader;
}

# PHP-FPM's own log, in the client's directory: opened as the client, so that a link there leads to nothing of root's.
# Without room for it there is none, and PHP runs all the same.
sub log_of {
    my ( $home, $wanted ) = @_;
    my $log;
    if ( $settings{cage} ) {
        $) = "$wanted->{gid} $wanted->{gid}";
        $> = $wanted->{uid};
    }
    my $found = sysopen $log, "$home/logs/php-fpm.log", O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0640;
    if ( $settings{cage} ) {
        $> = 0;
        $) = '0 0';
    }
    return $log if $found && -f $log;
    open $log, '>', '/dev/null' or die "/dev/null: $!\n";
    return $log;
}

# Lets a master finish what it answers. Whoever asks from now on wakes another.
sub retire {
    my ($one) = @_;
    my $fpm = fpm_of($one);
    signal( $fpm || $one->{pid}, 'QUIT' );
    $one->{ending} ||= now() + $FINISH_SECONDS;
    free($one);
}

# The slot of a master begins to wait again.
sub free {
    my ($one) = @_;
    my $slot = $slot{ $one->{slot} };
    return unless $slot && $slot->{master} && $slot->{master} == $one;
    delete $slot->{master};
    watch( $slot->{listener}, 1 ) unless $closing{ $one->{id} };
}

sub fail {
    my ( $slot, $why ) = @_;
    my $wait = $BACK_OFF[ $slot->{failures} ] // $BACK_OFF[-1];
    $slot->{failures}++;
    $retry{"$slot->{version}/$slot->{id}"} = now() + $wait;
    $why =~ s/\s+/ /g;
    note("client $slot->{id}, PHP $slot->{version}: $why; again in $wait s");
    watch( $slot->{listener}, 0 );
}

sub reap {
    while ( ( my $pid = waitpid -1, POSIX::WNOHANG() ) > 0 ) {
        my $status = $?;
        if ( my $one = delete $program{$pid} ) {
            end_program( $one, $status );
            next;
        }
        my $one = delete $master{$pid} or next;
        my $slot = $slot{ $one->{slot} };
        my $mine = $slot && $slot->{master} && $slot->{master} == $one;
        free($one);
        find_empty_of( $one->{id} );
        next if !$mine || $one->{ending} || $closing{ $one->{id} };
        sysread $one->{words}, my $words, 2000;
        $slot->{failures} = 0 if now() - $one->{since} > 60;
        fail( $slot, "ended with status $status: " . ( $words // '' ) );
    }
}

sub find_empty_of {
    my ($id) = @_;
    $emptied{$id} = now() unless grep { $_->{id} == $id } values %master, values %program, values %ended;
}

# bwrap, the first process of its cage, PHP-FPM and its workers are each other's parents, in this order.
sub fpm_of {
    my ($one) = @_;
    return $one->{pid} unless $settings{cage};
    $one->{init} ||= ( children( $one->{pid} ) )[0];
    $one->{fpm} ||= $one->{init} && ( children( $one->{init} ) )[0];
    return $one->{fpm};
}

sub children {
    my ($pid) = @_;
    open my $file, '<', "/proc/$pid/task/$pid/children" or return;
    return split ' ', <$file> // '';
}

# The kernel leaves out some while others end.
sub all_children {
    my ($pid) = @_;
    my @before;
    my @found = children($pid);
    while ( "@before" ne "@found" ) {
        @before = @found;
        @found  = children($pid);
    }
    return @found;
}

# Whether none of a master's workers answers anybody, as far as the kernel tells what they wait in. Ending one then
# disturbs no program: even a request to finish would cut a sleep() short.
sub waits {
    my ($one) = @_;
    my $fpm = fpm_of($one) or return 0;
    my @workers = children($fpm);
    # One that still starts, which takes seconds on a slow machine, has none yet.
    $one->{begun} ||= @workers;
    return 0 unless $one->{begun};
    for my $pid (@workers) {
        open my $file, '<', "/proc/$pid/syscall" or next;
        my ($call) = split ' ', <$file> // '';
        return 0 if defined $call && !$ACCEPT{$call};
    }
    return 1;
}

# Changes whenever one of a master's workers did anything. What a customer left running is no worker.
sub doings {
    my ($one) = @_;
    my $fpm = fpm_of($one) or return '';
    return join ' ', map { "$_:" . switches($_) } children($fpm);
}

sub switches {
    my ($pid) = @_;
    open my $file, '<', "/proc/$pid/status" or return '';
    return join ',', map { /^(?:non)?voluntary_ctxt_switches:\s+(\d+)/ ? $1 : () } <$file>;
}

sub look_after {
    my $now = now();
    for my $one ( values %master ) {
        if ( $one->{ending} ) {
            kill_master($one) if $now > $one->{ending};
            next;
        }
        my $slot = $slot{ $one->{slot} };
        if ( $slot && !$closing{ $one->{id} } && is_shut( $slot->{listener} ) ) {
            replace_socket($slot);
            next;
        }
        my $waits = waits($one);
        my $seen  = doings($one);
        @$one{qw(seen calm)} = ( $seen, $now ) if !$waits || $seen ne $one->{seen};
        retire($one) if $now - $one->{calm} >= $settings{idle};
        # Of other settings or another build: in a pause, or when there was none for long.
        retire($one) if $one->{old} && ( $waits || $now - $one->{old} > $RENEW_SECONDS );
    }
    for my $name ( grep { $retry{$_} <= $now } keys %retry ) {
        delete $retry{$name};
        my $slot = $slot{$name} or next;
        watch( $slot->{listener}, 1 ) unless $slot->{master} || $closing{ $slot->{id} };
    }
    for my $id ( grep { $now - $emptied{$_} > $GROUP_SECONDS } keys %emptied ) {
        # What is not of PHP runs on in it.
        if   ( remove_group($id) ) { delete $emptied{$id} }
        else                       { $emptied{$id} = $now }
    }
}

# The kernel ends all of a cage with its first process.
sub kill_master {
    my ($one) = @_;
    fpm_of($one);
    if ( $settings{cage} ) { signal( $one->{init}, 'KILL' ) if $one->{init} }
    else                   { signal( $_,           'KILL' ) for children( $one->{pid} ) }
    signal( $one->{pid}, 'KILL' );
}

# Programs ------------------------------------------------------------------------------------------------------

# Runs a program as a client for a panel, which says which one, and has its streams, at a socket of its own: see
# deploy/node/cage. It ends with its time, with what its client may run, and with the connection that asked for it.
# Answers one line on that when it has ended: `ended STATUS WHY`, or `failed REASON` where there was no cage.
sub begin_program {
    my ( $connection, $one ) = @_;
    my $id = $one->{id};
    eval { ensure($id) } unless $client{$id};
    my $why = refused($id);
    $why ||= eval { make_group($id); 1 } ? undef : "control group: $@";
    pipe my $status, my $mouth or $why ||= "pipe: $!";
    my $pid = $why ? undef : fork;
    return answer( $connection, 'failed ' . ( $why // "fork: $!" ) ) unless defined $pid;
    if ( !$pid ) {
        eval { become_program( $one, $mouth ); 1 } or syswrite $mouth, $@;
        POSIX::_exit(127);
    }
    $status->blocking(0);
    delete $connection{ fileno $connection };
    watch( $connection, 1 );
    delete $emptied{$id};
    $program{$pid} = { pid => $pid, id => $id, to => $connection, status => $status, until => ticks() + $one->{ms} * $TICKS / 1000 };
}

# Why nothing runs for a client now.
sub refused {
    my ($id) = @_;
    return 'no cages here' unless $settings{cage};
    return 'it is being ended' if $closing{$id};
    return 'no such client' unless $client{$id};
    return 'the client is suspended' unless ( readlink "$base/k/$id" // '' ) eq "../c/$id";
    return;
}

# In the new process: joins the client's group and becomes its program.
sub become_program {
    my ( $one, $mouth ) = @_;
    $SIG{$_} = 'DEFAULT' for qw(CHLD TERM QUIT HUP PIPE USR1);
    my $id     = $one->{id};
    my $wanted = $client{$id};
    put( "$_->[1]/cp$id/cgroup.procs", 0 ) or die "control group: $!\n" for values %group;
    my %asked = asked($one);
    my @cage = program_cage( $id, \%asked );
    my $in = $asked{in} ? stream( $one, 'in' ) : undef;
    my ( $out, $err ) = map { stream( $one, $_ ) } qw(out err);
    inherit($mouth);
    open STDIN, $in ? '<&' : '<', $in || '/dev/null' or die "stdin: $!\n";
    open STDOUT, '>&', $out or die "stdout: $!\n";
    open STDERR, '>&', $asked{joined} ? $out : $err or die "stderr: $!\n";
    umask 0027;
    put( '/proc/self/oom_score_adj', 300 );
    %ENV = (
        PATH => '/usr/bin:/bin:/usr/sbin:/sbin', HOME => '/tmp', LANG => 'C.UTF-8', TZ => 'UTC',
        # Beside its own place of settings.
        PHP_INI_SCAN_DIR => ':/etc/php/panel',
    );
    my @limits = ( '--core=0:0', "--nofile=$CAGE_FILES:$CAGE_FILES" );
    push @limits, "--fsize=$asked{fsize}:$asked{fsize}" if defined $asked{fsize};
    push @limits, "--nproc=$CAGE_PROCESSES:$CAGE_PROCESSES" unless $group{pids};
    exec '/usr/bin/prlimit', @limits, '--', '/usr/bin/bwrap', @cage, '--json-status-fd', fileno $mouth, '--',
        '/usr/bin/setpriv', "--reuid=$wanted->{uid}", "--regid=$wanted->{gid}", '--clear-groups', '--no-new-privs',
        '--bounding-set=-all', '--inh-caps=-all', '--', @{ $asked{arg} }
        or die "bwrap: $!\n";
}

# What the panel asks for, as pairs of a name and a value, each ended by a zero byte.
sub asked {
    my ($one) = @_;
    my $socket = stream( $one, 'ask' );
    my %asked = ( arg => [], site => [], show => [] );
    local $/ = "\0";
    while ( my $pair = <$socket> ) {
        my ( $name, $value ) = $pair =~ /^(\w+)=(.*)\0$/s or die "not understood\n";
        if    ( ref $asked{$name} )                    { push @{ $asked{$name} }, $value }
        elsif ( $name =~ /^(?:in|net|readonly|joined|dir)$/ ) { $asked{$name} = $value }
        elsif ( $name eq 'fsize' && $value =~ /^\d+$/ ) { $asked{fsize} = $value }
        else                                           { die "not understood\n" }
    }
    die "no program\n" unless @{ $asked{arg} };
    return %asked;
}

# A connection with the panel that asked; it is this process's alone.
sub stream {
    my ( $one, $name ) = @_;
    socket my $stream, AF_UNIX, SOCK_STREAM, 0 or die "socket: $!\n";
    connect $stream, sockaddr_un("$base/run/cages-$one->{place}.s") or die "the panel does not answer: $!\n";
    syswrite $stream, "$one->{key} $name\n" or die "the panel does not answer: $!\n";
    return $stream;
}

# Its sites by their names, and no other file that could be written but a fresh /tmp, which its memory is charged for.
# What leads to a site's directory belongs to root: no client can put another in its place.
sub program_cage {
    my ( $id, $asked ) = @_;
    my $bind = $asked->{readonly} ? '--ro-bind' : '--bind';
    my ( @places, @binds );
    for ( @{ $asked->{site} } ) {
        my ( $site, $domain ) = /^([1-9]\d{0,15}) ([a-z0-9][a-z0-9.-]{0,252})$/ or die "site: not understood\n";
        my $from = "$base/c/$id/$site";
        my ( $mode, $owner ) = ( lstat $from )[ 2, 4 ];
        die "site $site: not there\n" unless defined $mode && -d _ && !$owner;
        push @places, "/sitios/$domain";
        push @binds, $bind, $from, "/sitios/$domain";
        # Root's: the client can only read them.
        push @binds, $bind, "$base/l/$site", "/sitios/$domain/registros" if -d "$from/registros" && -d "$base/l/$site";
    }
    for ( @{ $asked->{show} } ) {
        my ( $from, $at ) = m{^((?:/[\w.-]+)+) ((?:/[\w.-]+)+)$} or die "show: not understood\n";
        push @places, $at =~ m{^(.+)/};
        push @binds, '--ro-bind', $from, $at;
    }
    my $ini = "sendmail_path = /usr/bin/perl /etc/php/sendmail.pl -t -i\n";
    return (
        machine( $id, '/sitios', '/sitios', '/etc/php/panel', @places ),
        ( $asked->{net} ? () : '--unshare-net' ),
        ( map { ( '--ro-bind-try', "/etc/php/$_", "/etc/php/$_" ) } keys %{ $settings{version} } ),
        qw(--perms 0444 --ro-bind-data), handed($ini), '/etc/php/panel/mail.ini',
        '--perms', '1777', '--size', $CAGE_TMP, '--tmpfs', '/tmp', databases(), @binds,
        '--chdir', $asked->{dir} // '/sitios', '--seccomp', handed( $settings{filter} ),
    );
}

sub stop_program {
    my ( $one, $why ) = @_;
    $one->{why} ||= $why;
    watch( $one->{to}, 0 );
    kill_program($one);
}

# The kernel ends all of a cage with its first process.
sub kill_program {
    my ($one) = @_;
    return if $one->{answer};
    # Held first, so that it makes no first process that nobody ends.
    signal( $one->{pid}, 'STOP' );
    signal( $_, 'KILL' ) for children( $one->{pid} );
    signal( $one->{pid}, 'KILL' );
}

# bwrap tells of a program's end only where it began, and gives its own failures 1.
sub end_program {
    my ( $one, $status ) = @_;
    my $told = '';
    sysread $one->{status}, $told, 4096;
    my $code = $status & 127 ? 128 + ( $status & 127 ) : $status >> 8;
    my ($init) = $told =~ /"child-pid": (\d+)/;
    my $why = $one->{why} // ( $closing{ $one->{id} } ? 'stopped' : undef );
    my $ran = $why || $told =~ /"exit-code"/ || ( $init && $code != 1 );
    $told =~ s/\{.*//s;
    $one->{init}   = $init;
    $one->{answer} = $ran ? "ended $code " . ( $why // 'exit' ) : 'failed ' . ( $told || 'no cage' );
    watch( $one->{to}, 0 );
    $ended{ $one->{pid} } = $one;
}

# bwrap is gone before the cage's first process, which the kernel lets go after all others.
sub answer_ended {
    for my $one ( values %ended ) {
        next if $one->{init} && state_of( $one->{init} ) !~ /^[ZX]?$/;
        delete $ended{ $one->{pid} };
        find_empty_of( $one->{id} );
        answer( $one->{to}, $one->{answer} );
    }
}

sub state_of {
    my ($pid) = @_;
    open my $file, '<', "/proc/$pid/stat" or return '';
    return ( <$file> // '' ) =~ /\) (\w)/ ? $1 : '';
}

# Endings -------------------------------------------------------------------------------------------------------

# Lets a client's masters finish. Answered when none of their workers takes another request: each is told by itself,
# since its master does so later.
sub begin_fresh {
    my ( $id, $to ) = @_;
    my @old = grep { $_->{id} == $id } values %master;
    for my $one (@old) {
        retire($one) unless $one->{ending};
        my $fpm = fpm_of($one) or next;
        signal( $_, 'QUIT' ) for children($fpm);
    }
    push @fresh, { to => $to, old => \@old, until => now() + $CLOSE_SECONDS };
}

sub go_on_freshening {
    for my $one ( splice @fresh ) {
        my $taking = grep { $master{ $_->{pid} } && takes($_) } @{ $one->{old} };
        if ( $taking && now() < $one->{until} ) { push @fresh, $one }
        else                                    { answer( $one->{to}, $taking ? 'workers of PHP that are to end still take requests' : 'ok' ) }
    }
}

# Whether one of a master's workers waits for a request, or may yet be started.
sub takes {
    my ($one) = @_;
    my $fpm = fpm_of($one) or return 1;
    for my $pid ( all_children($fpm) ) {
        return 1 if is_told($pid);
        open my $file, '<', "/proc/$pid/syscall" or next;
        my ($call) = split ' ', <$file> // '';
        return 1 if defined $call && $ACCEPT{$call};
    }
    return 0;
}

# Whether it was asked to finish and has not noticed: until then it takes whoever comes.
sub is_told {
    my ($pid) = @_;
    open my $file, '<', "/proc/$pid/status" or return 0;
    my $quit = 1 << ( POSIX::SIGQUIT() - 1 );
    return scalar grep { /^ShdPnd:.*([0-9a-f])$/ && hex($1) & $quit } <$file>;
}

# Ends all that runs as a client; `forget` closes its sockets for good. Answered when nothing is left.
sub begin_closing {
    my ( $id, $forget, $to ) = @_;
    if ($forget) { close_slot($_) for slots_of($id) }
    else         { watch( $_->{listener}, 0 ) for slots_of($id) }
    my $before = $closing{$id};
    push @{ $closing{$id}{to} }, $to;
    $closing{$id}{forget} ||= $forget;
    $closing{$id}{until} = now() + $CLOSE_SECONDS;
    # Nothing can fork any more.
    put( "$group{pids}[1]/cp$id/pids.max", 0 ) if $group{pids} && -d "$group{pids}[1]/cp$id" && !$before;
}

sub go_on_closing {
    for my $id ( keys %closing ) {
        my @programs = grep { $_->{id} == $id } values %program, values %ended;
        kill_program($_) for @programs;
        my @left = grep { $_->{id} == $id } values %master;
        kill_master($_) for @left;
        $closing{$id}{inits}{ $_->{init} } = 1 for grep { $_->{init} } @left;
        kill_group($id);
        my $empty = !@left && !@programs && !processes_of($id) && !grep { -d "/proc/$_" } keys %{ $closing{$id}{inits} };
        # The kernel removes a group only when nothing at all is left in it.
        $empty &&= remove_group($id) if $closing{$id}{forget};
        next unless $empty || now() > $closing{$id}{until};
        my $told = $empty ? 'ok' : unended( $id, keys %{ $closing{$id}{inits} }, map { $_->{pid} } @left, @programs );
        my $done = delete $closing{$id};
        if ( $empty && $done->{forget} ) { delete $client{$id}; delete $emptied{$id} }
        elsif ( $client{$id} ) {
            limit($id) if -d( group_of($id) // '/nowhere' );
            watch( $_->{listener}, 1 ) for slots_of($id);
        }
        answer( $_, $told ) for @{ $done->{to} };
    }
}

# What keeps a client from ending, with what the kernel says of it: D waits for a disk or is frozen, Z for its parent.
sub unended {
    my ( $id, @known ) = @_;
    my %left  = map { $_ => state_of($_) } @known, processes_of($id);
    my @left  = sort { $a <=> $b } grep { $left{$_} } keys %left;
    my @named = map { name_of($_) . " ($_, $left{$_})" } @left[ 0 .. ( @left > $NAMED ? $NAMED : @left ) - 1 ];
    my $more  = @left > $NAMED ? ' and ' . ( @left - $NAMED ) . ' more' : '';
    return "processes of client $id do not end: " . join( ', ', @named ) . $more if @left;
    return "the control groups of client $id stay, though nothing runs in them";
}

# A client chooses it.
sub name_of {
    my ($pid) = @_;
    open my $file, '<', "/proc/$pid/comm" or return 'unknown';
    return ( <$file> // '' ) =~ s/[^\w.:-]+//gr || 'unknown';
}

sub kill_group {
    my ($id) = @_;
    if ( my $unified = $group{unified} ) {
        return if put( "$unified->[1]/cp$id/cgroup.kill", 1 );
    }
    my $freezer = $group{freezer} ? "$group{freezer}[1]/cp$id/freezer.state" : undef;
    put( $freezer, 'FROZEN' ) if $freezer;
    signal( $_, 'KILL' ) for processes_of($id);
    put( $freezer, 'THAWED' ) if $freezer;
}

# In any of the hierarchies.
sub processes_of {
    my ($id) = @_;
    my %found;
    for my $directory ( map { "$_->[1]/cp$id" } values %group ) {
        open my $file, '<', "$directory/cgroup.procs" or next;
        chomp, $found{$_} = 1 while <$file>;
    }
    return keys %found;
}

# Control groups ------------------------------------------------------------------------------------------------

# Of both versions, whichever has a controller: version 2 holds processes together even where it has none.
sub find_groups {
    my $mark = unpack( '%32C*', $base ) . '-' . ( stat $base )[1];
    my %own = map { /^(\d+):([^:]*):(.*)$/ ? ( $1 ? $2 : 'unified', $3 ) : () } lines('/proc/self/cgroup');
    for ( lines('/proc/self/mountinfo') ) {
        my ( $root, $mount, $type, $options ) = m{^\S+ \S+ \S+ (\S+) (\S+) .* - (\S+) \S+ (\S+)$} or next;
        if ( $type eq 'cgroup2' && defined $own{unified} ) {
            find_unified( $mark, $mount, below( $mount, $root, $own{unified} ) ) unless $group{unified};
        }
        next unless $type eq 'cgroup';
        for my $name (qw(memory cpu cpuacct pids freezer blkio)) {
            next if $group{$name} || ",$options," !~ /,$name,/;
            my ($set) = grep { ",$_," =~ /,$name,/ } keys %own;
            next unless defined $set;
            my $clients = make_clients( below( $mount, $root, $own{$set} ) . "/controlpanel-$mark" );
            $group{$name} = [ 1, $clients ] if $clients;
        }
    }
    bound_all();
    make_behind();
    write_groups();
}

sub below {
    my ( $mount, $root, $path ) = @_;
    return $mount . substr $path, length $root if $root ne '/' && index( $path, $root ) == 0;
    return $path eq '/' ? $mount : $mount . $path;
}

sub make_clients {
    my ($directory) = @_;
    mkdir $directory;
    mkdir "$directory/clients";
    return -w "$directory/clients/cgroup.procs" ? "$directory/clients" : undef;
}

# Only a group without processes of its own shares its controllers out: this process goes into one beside the clients'.
sub find_unified {
    my ( $mark, $mount, $own ) = @_;
    # The group that an earlier keeper went into.
    $own =~ s{/controlpanel-\Q$mark\E/keeper$}{};
    my ($there) = eval { lines("$mount/cgroup.controllers") };
    my %there = map { $_ => 1 } split ' ', $there // '';
    my @missing = grep { $there{$_} && !$group{$_} } qw(cpu memory pids io);
    for my $parent ( $own, $mount ) {
        my $top = "$parent/controlpanel-$mark";
        my $clients = make_clients($top) or next;
        mkdir "$top/keeper";
        next unless put( "$top/keeper/cgroup.procs", $$ );
        my @got = grep { my $name = $_; !grep { !put( "$_/cgroup.subtree_control", "+$name" ) } $parent, $top, $clients } @missing;
        # A session's group has other processes, and shares nothing out.
        next if @got < @missing && $parent ne $mount;
        $group{$_} = [ 2, $clients ] for @got, 'unified';
        return;
    }
}

# All clients together leave something to the machine, and step back behind its services.
sub bound_all {
    my ($total) = map { /^MemTotal:\s+(\d+) kB/ ? $1 * 1024 : () } lines('/proc/meminfo');
    my $reserve = $total / 8 > 512 * 1048576 ? int( $total / 8 ) : 512 * 1048576;
    my $room = $total > 2 * $reserve ? $total - $reserve : int( $total / 2 );
    $settings{most} = int( $room / 2 );
    $settings{rest} = grep( { /^processor\s*:/ } lines('/proc/cpuinfo') ) - 1;
    if ( my $memory = $group{memory} ) {
        put( "$memory->[1]/" . ( $memory->[0] == 2 ? 'memory.max' : 'memory.limit_in_bytes' ), $room );
    }
    if ( my $cpu = $group{cpu} ) {
        put( "$cpu->[1]/" . ( $cpu->[0] == 2 ? 'cpu.weight' : 'cpu.shares' ), $cpu->[0] == 2 ? 25 : 256 );
    }
    # Only some schedulers of disks know weights (bfq, iocost); without them the files are missing.
    put( "$group{io}[1]/$_", 'default 25' ) for $group{io} ? qw(io.weight io.bfq.weight) : ();
    put( "$group{blkio}[1]/blkio.bfq.weight", 25 ) if $group{blkio};
    my ($numbers) = lines('/proc/sys/kernel/pid_max');
    put( "$group{pids}[1]/pids.max", int( $numbers / 2 ) ) if $group{pids};
}

# What the node does of its own, such as copies, has a quarter of what all clients have, and its memory bounded.
sub make_behind {
    for my $name ( keys %group ) {
        my ( $version, $clients ) = @{ $group{$name} };
        ( my $at = $clients ) =~ s{/clients$}{-behind};
        mkdir $at;
        $behind{$name} = $at if -w "$at/cgroup.procs";
    }
    my ($total) = map { /^MemTotal:\s+(\d+) kB/ ? $1 * 1024 : () } lines('/proc/meminfo');
    my $most = $total / 4 > 512 * 1048576 ? int( $total / 4 ) : 512 * 1048576;
    my ( $memory, $cpu ) = @group{qw(memory cpu)};
    put( "$behind{memory}/" . ( $memory->[0] == 2 ? 'memory.max' : 'memory.limit_in_bytes' ), $most ) if $behind{memory};
    put( "$behind{cpu}/" . ( $cpu->[0] == 2 ? 'cpu.weight' : 'cpu.shares' ), $cpu->[0] == 2 ? 25 : 256 ) if $behind{cpu};
    put( "$behind{io}/$_", 'default 25' ) for $behind{io} ? qw(io.weight io.bfq.weight) : ();
    put( "$behind{blkio}/blkio.bfq.weight", 25 ) if $behind{blkio};
}

# For whoever reads what a client uses: in all of them its group is cp<id>.
sub write_groups {
    my %told = map { $group{$_} && $group{$_}[0] == 1 ? ( $_ => $group{$_}[1] ) : () } qw(memory cpu cpuacct pids freezer);
    my $version = grep( { $told{$_} } qw(memory cpu cpuacct pids) ) ? 1 : 2;
    my $path = "$base/run/groups.json";
    unlink $path;
    return if !%group;
    %told = ( unified => $group{unified}[1] ) if $version == 2;
    my $json = join ',', map { qq("$_":"$told{$_}") } sort keys %told;
    open my $file, '>', "$path.n" or die "groups.json: $!\n";
    print $file qq({"version":$version,$json}\n);
    close $file or die "groups.json: $!\n";
    rename "$path.n", $path or die "groups.json: $!\n";
}

# Groups that an earlier keeper left are removed in time, too.
sub find_empty {
    my %used = map { $_->{id} => 1 } values %master, values %program;
    for ( map { glob "$_->[1]/cp*" } values %group ) {
        $emptied{$1} = now() if m{/cp(\d+)$} && !$used{$1};
    }
}

sub group_of { my ($id) = @_; my ($any) = values %group; return $any && "$any->[1]/cp$id" }

sub make_group {
    my ($id) = @_;
    my $made = 0;
    for my $directory ( map { "$_->[1]/cp$id" } values %group ) {
        $made = 1 if mkdir $directory;
        die "$directory: $!\n" unless -d $directory;
    }
    limit($id) if $made;
}

sub join_group {
    my ( $id, $pid ) = @_;
    eval { ensure($id) } unless $client{$id};
    my $why = $pid ? refused($id) : 'no process';
    die "$why\n" if defined $why;
    make_group($id);
    put( "$_->[1]/cp$id/cgroup.procs", $pid ) or die "control group: $!\n" for values %group;
    $emptied{$id} = now();
}

sub join_behind {
    my ($pid) = @_;
    die "no control groups\n" unless %behind;
    put( "$_/cgroup.procs", $pid ) or die "control group: $!\n" for values %behind;
}

sub limit {
    my ($id) = @_;
    my $wanted = $client{$id} or return;
    my ( $memory, $processes ) = @$wanted{qw(memory processes)};
    # What no plan limits is bounded all the same; what a plan allows, all clients' group still bounds.
    $memory    = $settings{most} if $memory eq '-';
    $processes = 512             if $processes eq '-';
    if ( my $found = $group{memory} ) {
        my $at = "$found->[1]/cp$id";
        my $swap = int( $memory / 2 );
        if ( $found->[0] == 2 ) {
            put( "$at/memory.max",      $memory );
            put( "$at/memory.swap.max", $swap );
        }
        else {
            # It may never be below the other one.
            put( "$at/memory.memsw.limit_in_bytes", -1 );
            put( "$at/memory.limit_in_bytes",       $memory );
            put( "$at/memory.memsw.limit_in_bytes", $memory + $swap );
        }
    }
    if ( my $found = $group{cpu} ) {
        my $at = "$found->[1]/cp$id";
        # Where no plan says, all but one processor: what waits for its turn is never behind one client on all of them.
        my $quota = $wanted->{cpu} ne '-' ? $wanted->{cpu} * 1000 : $settings{rest} > 0 ? $settings{rest} * 100_000 : undef;
        if   ( $found->[0] == 2 ) { put( "$at/cpu.max",          ( $quota // 'max' ) . ' 100000' ) }
        else                      { put( "$at/cpu.cfs_quota_us", $quota // -1 ) }
    }
    put( "$group{pids}[1]/cp$id/pids.max", $processes ) if $group{pids};
}

# Whether it is gone from everywhere.
sub remove_group {
    my ($id) = @_;
    my @directories = map { "$_->[1]/cp$id" } values %group;
    count( $id, $_ ) for @directories;
    rmdir for @directories;
    return 0 if grep { -d } @directories;
    keep_counts($id);
    return 1;
}

# The kernel forgets with a group what it took and what was refused it. Lines as "<file> <field> <number>", - being the
# only field; which of them there are depends on the version.
sub count {
    my ( $id, $directory ) = @_;
    for my $name (@COUNTS) {
        my ( $file, $field ) = split / /, $name;
        open my $read, '<', "$directory/$file" or next;
        my $pattern = $field eq '-' ? qr/^(\d+)$/ : qr/^\Q$field\E (\d+)$/;
        while ( my $line = <$read> ) { $counted{$id}{$name} = $1 if $line =~ $pattern }
    }
}

sub keep_counts {
    my ($id) = @_;
    my $more = delete $counted{$id} or return;
    my $path = "$base/run/past/$id";
    for ( eval { lines($path) } ) { $more->{$1} += $2 if /^(\S+ \S+) (\d+)$/ }
    mkdir "$base/run/past";
    open my $file, '>', "$path.n" or return warn "$path: $!\n";
    print {$file} map { "$_ $more->{$_}\n" } sort keys %$more;
    close $file && rename "$path.n", $path or warn "$path: $!\n";
}

sub put {
    my ( $path, $value ) = @_;
    sysopen my $file, $path, O_WRONLY or return 0;
    return defined syswrite $file, $value;
}

# Control -------------------------------------------------------------------------------------------------------

sub open_control {
    my $path = "$base/run/control.s";
    socket $control, AF_UNIX, SOCK_STREAM, 0 or die "socket: $!\n";
    unlink "$path.n";
    bind $control, sockaddr_un("$path.n") or die "$path: $!\n";
    listen $control, 64 or die "listen: $!\n";
    rename "$path.n", $path or die "$path: $!\n";
}

# One command a connection:
#   ensure ID   its file was written
#   end ID      its file was removed: its sockets are closed and nothing of it runs when this is answered
#   stop ID     the same, and its sockets wait for whoever asks next
#   join ID PID a process that another service runs for it, and what that starts, count as the client's from now on
#   fresh ID    what runs finishes, and whoever asks next finds PHP without what it had compiled
#   behind PID  a program of the node's own, and what that starts, stay behind what clients do
#   ping        the number of this process
#   cage ID KEY MS  runs a program, see begin_run; `stop` on the same connection ends it
sub obey {
    my ($connection) = @_;
    my $got = sysread $connection, my $line, 100;
    return hang_up($connection) unless $got;
    if ( $line =~ /^cage ([1-9]\d{0,15}) ([0-9a-f]{16})([0-9a-f]{32}) (\d{1,12})\n$/ ) {
        return begin_program( $connection, { id => $1, place => $2, key => "$2$3", ms => $4 } );
    }
    if ( $line =~ /^behind ([1-9]\d{0,9})\n$/ ) {
        my $pid = $1;
        return answer( $connection, eval { join_behind($pid); 1 } ? 'ok' : "no $@" );
    }
    my ( $command, $id, $pid ) = $line =~ /^(ensure|end|stop|fresh|join|ping)(?: ([1-9]\d{0,15})(?: ([1-9]\d{0,9}))?)?\n$/;
    watch( $connection, 0 );
    return answer( $connection, 'no such command' ) if !$command || ( $command ne 'ping' && !$id );
    return answer( $connection, "ok $$" ) if $command eq 'ping';
    if ( $command eq 'join' ) {
        return answer( $connection, 'ok' ) if eval { join_group( $id, $pid ); 1 };
        return answer( $connection, "no $@" );
    }
    if ( $command eq 'ensure' ) {
        return answer( $connection, 'ok' ) if eval { ensure($id); 1 };
        return answer( $connection, "no $@" );
    }
    if ( $command eq 'fresh' ) {
        return begin_fresh( $id, $connection );
    }
    begin_closing( $id, $command eq 'end', $connection );
}

sub answer {
    my ( $connection, $text ) = @_;
    $text =~ s/\s+/ /g;
    syswrite $connection, "$text\n";
    hang_up($connection);
}

sub hang_up {
    my ($connection) = @_;
    watch( $connection, 0 );
    delete $connection{ fileno $connection };
    close $connection;
}

# The loop ------------------------------------------------------------------------------------------------------

sub run {
    until ($terminated) {
        hand_over() if $renewed;
        my $busy = %master || %retry;
        my ($next) = sort { $a <=> $b } map { $_->{until} - ticks() } values %program;
        my $wait = %closing || %ended || @fresh ? 0.01 : $busy ? $LOOK_SECONDS : 60;
        $wait = $next > 1 ? $next / $TICKS : 0.01 if defined $next && $next / $TICKS < $wait;
        my $found = select my $ready = $bits, undef, undef, $wait;
        sysread $woken, my $dots, 4096;
        reap();
        if ( $found > 0 ) {
            if ( vec $ready, fileno $control, 1 and accept my $connection, $control ) {
                $connection{ fileno $connection } = $connection;
                watch( $connection, 1 );
            }
            # Whatever it says, or that it is gone: nobody waits for the program any more.
            stop_program( $_, 'stopped' ) for grep { vec $ready, fileno $_->{to}, 1 } values %program;
            obey($_) for grep { vec $ready, fileno $_, 1 } values %connection;
            my @asked = grep { vec( $ready, $_, 1 ) && vec( $bits, $_, 1 ) } keys %by_fd;
            for my $slot ( map { $by_fd{$_} // () } @asked ) {
                is_shut( $slot->{listener} ) ? replace_socket($slot) : start($slot);
            }
        }
        stop_program( $_, 'deadline' ) for grep { !$_->{why} && ticks() >= $_->{until} } values %program;
        answer_ended();
        go_on_closing();
        go_on_freshening();
        if ( now() - $looked >= $LOOK_SECONDS ) {
            $looked = now();
            look_after();
        }
    }
    stop_all();
}

sub stop_all {
    close_slot($_) for values %slot;
    my $until = now() + $STOP_SECONDS;
    while ( %master || %program ) {
        kill_program($_) for values %program;
        if ( now() > $until ) { kill_master($_) for values %master }
        select undef, undef, undef, 0.01;
        reap();
    }
    unlink "$base/run/control.s", "$base/run/groups.json";
    my %left = map { m{/cp(\d+)$} ? ( $1 => 1 ) : () } map { glob "$_->[1]/cp*" } values %group;
    $until = now() + $STOP_SECONDS;
    while ( %left && now() <= $until ) {
        for my $id ( keys %left ) {
            kill_group($id);
            delete $left{$id} if remove_group($id);
        }
        select undef, undef, undef, 0.01;
    }
    for my $clients ( map { $_->[1] } values %group ) {
        ( my $top = $clients ) =~ s{/clients$}{};
        # This process is still in there where control groups are of version 2.
        put( "$top/../cgroup.procs", $$ ) if -d "$top/keeper";
        rmdir for $clients, "$top/keeper", $top, "$top-behind";
    }
    exit 0;
}

# SIGHUP: begins anew with the program and settings as they are now. Sockets and masters stay; those that were
# started under other settings end in a pause.
sub hand_over {
    my @lines = ( 'control ' . fileno $control );
    push @lines, map { "slot $_->{version} $_->{id} " . fileno $_->{listener} } values %slot;
    push @lines, map { "master $_->{pid} $_->{slot} $_->{generation} $_->{since} " . fileno( $_->{words} ) . ' ' . ( $_->{ending} // 0 ) }
        values %master;
    push @lines, map { "program $_->{pid} $_->{id} $_->{until} " . fileno( $_->{to} ) . ' ' . fileno $_->{status} } values %program;
    open my $file, '>', "$base/run/keeper.state" or die "state: $!\n";
    print $file map { "$_\n" } @lines;
    close $file or die "state: $!\n";
    inherit($_) for $control, map( { $_->{listener} } values %slot ), map( { $_->{words} } values %master ),
        map( { @$_{qw(to status)} } values %program );
    $ENV{KEEPER_STATE} = $$;
    exec $^X, $0, $base or die "exec: $!\n";
}

sub take_over {
    my $from = delete $ENV{KEEPER_STATE} // '';
    my @lines = $from eq $$ ? lines("$base/run/keeper.state") : ();
    unlink "$base/run/keeper.state";
    for (@lines) {
        if (/^control (\d+)$/) { $control = adopted($1) }
        elsif (m{^slot (\S+) (\d+) (\d+)$}) {
            my $path = "$base/f/$1/$2.s";
            $served{$1} = 1;
            $slot{"$1/$2"} = { id => $2, version => $1, path => $path, listener => adopted($3), failures => 0 };
        }
        elsif (m{^master (\d+) (([\d.]+)/(\d+)) (\w+) (\d+) (\d+) (\d+)$}) {
            $master{$1} = { pid => $1, slot => $2, id => $4, generation => $5, since => $6, calm => now(), seen => '',
                words => adopted($7), ending => $8 };
            $slot{$2}{master} = $master{$1} if !$8 && $slot{$2};
        }
        elsif (/^program (\d+) (\d+) (\d+) (\d+) (\d+)$/) {
            $program{$1} = { pid => $1, id => $2, until => $3, to => adopted($4), status => adopted($5) };
        }
    }
    watch_slot($_) for values %slot;
    watch( $_->{to}, 1 ) for values %program;
    for my $one ( grep { !$_->{ending} } values %master ) {
        my ($version) = split m{/}, $one->{slot};
        $one->{old} = now() if $one->{generation} ne ( $settings{version}{$version} // [ '', '' ] )->[1];
    }
}

sub adopted {
    my ($number) = @_;
    open my $file, '+<&=', $number or die "file $number: $!\n";
    fcntl $file, F_SETFD, FD_CLOEXEC;
    return $file;
}

# Perl closes all others when another program takes over.
sub inherit { my ($file) = @_; fcntl $file, F_SETFD, 0 or die "fcntl: $!\n" }

sub watch { my ( $file, $wanted ) = @_; vec( $bits, fileno $file, 1 ) = $wanted ? 1 : 0 }

# Seconds since some moment, whatever is done to the clock.
sub now { return int( ticks() / $TICKS ) }

sub ticks { return ( POSIX::times() )[0] }

sub signal { my ( $pid, $name ) = @_; kill $name, $pid if $pid && $pid > 1 }

sub note { my ($text) = @_; $text =~ s/\s+$//; print STDERR "$text\n" }
