# Programs that a panel runs as a client.

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
        next if $one->{init} && lives( $one->{init} );
        delete $ended{ $one->{pid} };
        find_empty_of( $one->{id} );
        answer( $one->{to}, $one->{answer} );
    }
}

# The first process of a cage is dead only after all others; where nobody collects what has lost its parent, as in a
# container without an init, it stays in the list of processes for ever.
sub lives { return state_of( $_[0] ) !~ /^[ZX]?$/ }

sub state_of {
    my ($pid) = @_;
    open my $file, '<', "/proc/$pid/stat" or return '';
    return ( <$file> // '' ) =~ /\) (\w)/ ? $1 : '';
}
