# What is wanted: the settings and the clients, as the panel's files tell them.

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
    $settings{failed}   = join '', map { "$_\n" } lines("$base/f/failed.php");
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
        # Nobody finds the way to one whose path is away.
        my $slot = $slot{"$version/$id"};
        close_slot($slot) if $slot && !-S $slot->{path};
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
