# The masters of PHP-FPM: started at a request, looked after, ended when nobody asks for a while.

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
