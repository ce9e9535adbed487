# Control groups, which bound what a client's programs take together.

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
