# The commands of a panel.

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
