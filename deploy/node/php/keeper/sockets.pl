# The listening sockets, one for each client and version of PHP.

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
