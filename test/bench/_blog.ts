import type { TestNode } from '../node/support.ts'

const FILES = 320
const FUNCTIONS = 12
const LOOKED_FOR = 3
const CATALOGUE_BYTES = 400_000

/**
 * A program that does about what WordPress does for a page: it includes some hundred files from directories four
 * deep, each with functions and classes of its own, asks before many of them whether they and others are there, lists
 * its extensions, reads a catalogue of translations and puts a page of 30 kB together. No database: its time is the
 * same on both sides.
 */
export function putBlog(node: TestNode, clientId: number, siteId: number): void {
  const put = (name: string, text: string) => void node.put(clientId, siteId, name, text)
  const names = Array.from({ length: FILES }, (_, index) => {
    const room = `wp-includes/room${index % 9}/part${index % 7}`
    return `${room}/class-thing-${index}.php`
  })
  for (const [index, name] of names.entries()) put(name, partText(index))
  for (let extension = 0; extension < 12; extension++) {
    put(
      `wp-content/plugins/extension${extension}/extension${extension}.php`,
      `<?php $GLOBALS['extensions'][] = ${extension};`,
    )
  }
  put('wp-content/languages/es_ES.txt', 'origin=translation of it\n'.repeat(CATALOGUE_BYTES / 25))
  put('index.php', indexText(names))
}

function partText(index: number): string {
  const body = Array.from(
    { length: FUNCTIONS },
    (_, at) =>
      `function thing_${index}_${at}($a) { return str_replace(['{a}', '{b}'], [$a, '${at}'], '<li class="{b}">{a}</li>'); }`,
  )
  return `<?php\nclass Thing_${index} { public $parts = []; public function add($p) { $this->parts[] = $p; return $this; } }\n${body.join('\n')}\n`
}

function indexText(names: string[]): string {
  return `<?php
define('ABSPATH', __DIR__ . '/');
$files = ${JSON.stringify(names)};
foreach ($files as $i => $file) {
  for ($n = 0; $n < ${LOOKED_FOR}; $n++) file_exists(ABSPATH . dirname($file) . "/override-$n.php");
  if (is_readable(ABSPATH . $file)) require_once ABSPATH . $file;
}
foreach (scandir(ABSPATH . 'wp-content/plugins') as $name)
  if ($name[0] !== '.' && is_dir(ABSPATH . "wp-content/plugins/$name")) include_once ABSPATH . "wp-content/plugins/$name/$name.php";
$catalogue = [];
foreach (explode("\\n", file_get_contents(ABSPATH . 'wp-content/languages/es_ES.txt')) as $n => $line)
  if ($n % 8 === 0 && preg_match('/^(\\w+)=(.+)$/', $line, $m)) $catalogue[$m[1] . $n] = $m[2];
$thing = new Thing_1();
for ($i = 0; $i < 600; $i++) $thing->add(thing_2_3(htmlspecialchars("entry $i " . md5((string) $i))));
echo '<!doctype html><title>blog</title><ul>', implode("\\n", $thing->parts), '</ul>', count($catalogue);
`
}
