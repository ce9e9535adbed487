# The loop, and what all parts use.

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

sub watch { my ( $file, $wanted ) = @_; vec( $bits, fileno $file, 1 ) = $wanted ? 1 : 0 }

# Seconds since some moment, whatever is done to the clock.
sub now { return int( ticks() / $TICKS ) }

sub ticks { return ( POSIX::times() )[0] }

sub signal { my ( $pid, $name ) = @_; kill $name, $pid if $pid && $pid > 1 }

sub note { my ($text) = @_; $text =~ s/\s+$//; print STDERR "$text\n" }
