import fc from 'fast-check';
import { it } from 'vitest';
import { expectNoWrite } from '../export/no-write.ts';
import { sampleSeed } from '../support/samples.ts';
import { World } from '../support/world.ts';
import { accounts, fill } from './fill.ts';
import { writeFileSync } from 'node:fs';

it('debug', async () => {
  const refusals: string[] = [], lines: string[] = [];
  const bodies = fc.sample(await accounts(), { numRuns: Number(process.env.N ?? 6), seed: Number(process.env.SEED ?? 1) });
  for (const one of bodies) {
    const world = await World.start({ seed: sampleSeed });
    await fill(world.twin, one, {}, refusals);
    try { const f = await expectNoWrite(world); lines.push('OK ' + f.count, ...f.notes); } catch (e) { const m = String((e as Error).message).split('\n'); lines.push('FAIL ' + [...m.slice(0, 1).map((x) => x.slice(0, 100)), ...String((e as any).diff ?? m.slice(-30).join('\n')).split('\n').filter((l) => /[-+] /.test(l)||true).slice(0, 60)].map((x) => x.slice(0, 500)).join('\n')); }
    await world.stop().catch((e) => lines.push(String(e)));
  }
  writeFileSync('/tmp/t11/lines', lines.join('\n'));
  writeFileSync('/tmp/t11/refusals', refusals.map((s) => s.slice(0, 700)).join('\n'));
}, 200000);
