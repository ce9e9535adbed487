# Endings: masters that finish, and all that a client has running.

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
        my $empty = !@left && !@programs && !processes_of($id) && !grep { lives($_) } keys %{ $closing{$id}{inits} };
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
