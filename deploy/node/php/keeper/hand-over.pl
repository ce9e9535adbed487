# How a keeper of another version takes over.

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
