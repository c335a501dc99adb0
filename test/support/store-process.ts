// A process of its own that works on the documents of a stack: `file PATH`, `git FOLDER` or `url URL`, then what it does.
import { setTimeout } from 'node:timers/promises';
import { Conflict, type Documents } from '../../src/ledger/documents.ts';
import { fileDocuments } from '../../src/ledger/file-documents.ts';
import { gitDocuments } from '../../src/ledger/git-documents.ts';
import { acquireLease } from '../../src/ledger/lease.ts';
import { createHolder } from '../../src/ledger/lease-record.ts';
import { here } from './here.ts';
import { urlPlace } from './store-places.ts';

const [type, where, task, ...rest] = process.argv.slice(2) as [string, string, string, ...string[]];
const documents: Documents =
  type === 'file'
    ? fileDocuments(where, here)
    : type === 'url'
      ? urlPlace(where, process.env as Record<string, string>, '/nonexistent').open()
      : gitDocuments({ stack: 'demo', remote: 'origin', cwd: where, env: process.env });
const say = (text: string) => process.stdout.write(`${text}\n`);

/** Adds one, as often as it is told; prints each number that it has written. */
async function count(times: number) {
  for (let won = 0; won < times; ) {
    const found = await documents.read('ledger');
    const next = (found ? Number.parseInt(found.text, 10) : 0) + 1;
    try {
      await documents.write('ledger', `${next} by ${process.pid}`, { expected: found?.version });
      say(String(next));
      won++;
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
    }
  }
}

/** Takes and frees the lease in turns with the others; prints when it has it and when it lets go. */
async function takeTurns(times: number) {
  for (let turn = 0; turn < times; turn++) {
    const lease = await acquireLease(documents, {
      holder: createHolder(here),
      wait: 600_000,
      clock: {
        now: Date.now,
        monotonic: () => performance.now(),
        sleep: (_, signal) => setTimeout(5 + Math.random() * 20, undefined, { signal }),
      },
    });
    const before = await documents.read('ledger');
    const inside = Number(before?.text.split(' ')[0] ?? 0);
    // Two at once would see each other here.
    const version = await documents.write('ledger', `${inside + 1} ${process.pid}`, {
      expected: before?.version,
    });
    await documents.write('ledger', `${inside} ${process.pid}`, { expected: version });
    say(String(inside));
    await lease.release();
  }
}

/** Writes long texts without end, until it is killed. */
async function writeForever() {
  for (let round = 0; ; round++) {
    const found = await documents.read('ledger');
    const text = `${process.pid} ${round} `.repeat(20_000);
    try {
      await documents.write('ledger', text, { expected: found?.version });
      say(String(round));
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
    }
  }
}

async function holdForever() {
  const clock = { now: Date.now, monotonic: () => performance.now(), sleep: (ms: number) => setTimeout(ms) };
  await acquireLease(documents, { holder: createHolder(here), clock });
  say('held');
  await setTimeout(600_000);
}

if (task === 'count') await count(Number(rest[0]));
else if (task === 'turns') await takeTurns(Number(rest[0]));
else if (task === 'write') await writeForever();
else await holdForever();
