#!/usr/bin/perl
# What a customer's programs find as /usr/sbin/sendmail: it puts the message into the client's own spool, from which
# the panel sends it. Runs as the client, with nothing that the client could not do itself.
use strict;
use warnings;
use Fcntl qw(O_WRONLY O_CREAT O_EXCL O_APPEND O_NOFOLLOW LOCK_EX);
use IO::Handle;
use POSIX qw(strftime);

# sysexits.h
use constant { USAGE => 64, DATA => 65, UNAVAILABLE => 69, CANNOT_CREATE => 73, NO_RECIPIENT => 65 };
use constant { OVER => 69, MOST_BYTES => 10 * 1024 * 1024, MOST_RECIPIENTS => 1000, MOST_FILES => 5000 };

my $spool = $ENV{PANEL_SPOOL} // '/var/spool/panel-mail';
# What the panel tells of the day's limit. It counts for itself: to write around this only makes a message wait.
my $day = "$spool.day/left";

my ($from_headers, $log, @recipients) = (0);

# PHP hands on the status alone, so why goes to the site's log as well, in the form of PHP's own lines.
sub refuse {
    my ($code, $why) = @_;
    print STDERR "sendmail: $why\n";
    if (defined $log && sysopen my $file, $log, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0640) {
        syswrite $file, strftime('[%d-%b-%Y %H:%M:%S UTC] ', gmtime) . "sendmail: $why\n";
    }
    exit $code;
}

while (@ARGV) {
    my $argument = shift @ARGV;
    if ($argument eq '--') { push @recipients, @ARGV; last }
    elsif ($argument =~ /^-t/) { $from_headers = 1 }
    # The sender in the envelope is the panel's to choose.
    elsif ($argument =~ /^-[frF]$/) { shift @ARGV }
    elsif ($argument eq '-X') { $log = shift @ARGV }
    elsif ($argument =~ /^-(?:[frF].+|i|oi|oem|odb|odi|oee|om|v|U|B.*|G|N.*|R.*)$/) { }
    elsif ($argument =~ /^-/) { refuse(USAGE, "$argument is not supported") }
    else { push @recipients, $argument }
}

-d $spool or refuse(UNAVAILABLE, 'this server sends no mail of programs: its operator has set up no mail server');

binmode STDIN;
my $message = '';
while (read STDIN, my $part, 65_536) {
    $message .= $part;
    length $message <= MOST_BYTES or refuse(DATA, 'the message is larger than 10 MiB');
}
$message =~ s/\r\n/\n/g;
my ($head, $body) = split /\n\n/, $message, 2;
$head = '' unless defined $head;
$body = '' unless defined $body;
$head =~ s/\n+\z//;

my @fields = split /\n(?![ \t])/, $head;
for my $field (@fields) {
    $field =~ /^[!-9;-~]+[ \t]*:/ or refuse(DATA, 'a line of the head is no header field');
    push @recipients, addresses($1) if $from_headers && $field =~ /^(?:To|Cc|Bcc)[ \t]*:(.*)\z/is;
}
@fields = grep { !/^(?:Bcc|Return-Path|Received|X-Envelope-To)[ \t]*:/i } @fields;

# Comments and display names are dropped; groups and routes are not understood.
sub addresses {
    my ($text) = @_;
    $text =~ s/"(?:[^"\\]|\\.)*"//g;
    $text =~ s/\([^()]*\)//g;
    return map { /<([^<>]*)>/ ? $1 : $_ } split /,/, $text;
}

my %seen;
@recipients = grep { length && !$seen{lc $_}++ } map { s/^\s+|\s+$//gr } @recipients;
@recipients or refuse(NO_RECIPIENT, 'there is no recipient');
@recipients <= MOST_RECIPIENTS or refuse(DATA, 'a message has at most ' . MOST_RECIPIENTS . ' recipients');
/^[!-~]+@[!-~]+\z/ or refuse(DATA, 'a recipient is no plain address') for @recipients;

# Held to the end, so that two messages do not both take what is left.
open my $lock, '<', $spool or refuse(CANNOT_CREATE, "the message cannot be kept: $!");
flock $lock, LOCK_EX;
opendir my $listing, $spool or refuse(CANNOT_CREATE, "the message cannot be kept: $!");
my @files = readdir $listing;
@files <= MOST_FILES
    or refuse(CANNOT_CREATE, 'there are ' . MOST_FILES . ' messages that wait or could not be sent');
if (open my $told, '<', $day) {
    my ($left) = map { /^left (\d+)$/ ? $1 : () } my @lines = <$told>;
    my ($counted) = ((map { /^counted (\S+)$/ ? $1 : () } @lines), '');
    # A message's name ends in the number of its recipients.
    my $waiting = 0;
    for (@files) { $waiting += /-(\d{1,4})\z/ ? $1 : 1 if /^\d/ && $_ ne $counted }
    refuse(OVER, 'the limit of recipients in 24 hours is reached') if defined $left && $waiting + @recipients > $left;
}

# Named by time, so that they are sent in their order; a name that begins with a dot is not sent yet.
my $name = sprintf '%011d-%07d-%s-%d', time, $$, join('', map { ('a' .. 'z')[rand 26] } 1 .. 8), scalar @recipients;
umask 0077;
sysopen my $file, "$spool/.$name", O_WRONLY | O_CREAT | O_EXCL or refuse(CANNOT_CREATE, "the message cannot be kept: $!");
my $whole = join('', map { "$_\n" } @recipients) . "\n" . join('', map { "$_\n" } @fields) . "\n$body";
my $kept = print({$file} $whole) && $file->flush && $file->sync && close $file && rename "$spool/.$name", "$spool/$name";
if (!$kept) {
    my $why = $!;
    unlink "$spool/.$name";
    refuse(CANNOT_CREATE, "the message cannot be kept: $why");
}
