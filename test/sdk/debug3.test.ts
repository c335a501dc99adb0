import fc from 'fast-check';
import { it } from 'vitest';
import { writeFileSync } from 'node:fs';
import { expectNoWrite } from '../export/no-write.ts';
import { sampleSeed } from '../support/samples.ts';
import { World } from '../support/world.ts';
import { accounts, fill } from './fill.ts';
import { changeThroughSdk, isDriftOf, type Declared } from './drift.ts';

it('debug', async () => {
  const lines: string[] = [];
  const seed = Number(process.env.SEED ?? 1);
  const bodies = fc.sample(await accounts(), { numRuns: Number(process.env.N ?? 1), seed });
  for (const one of bodies) {
    const world = await World.start({ seed: sampleSeed });
    await fill(world.twin, one, {}, []);
    const { yaml } = await expectNoWrite(world);
    const { plan } = await world.plan(yaml);
    const objects = new Map(plan.changes.map((c) => [c.address, c]));
    const { declaredFields, exceptionOf } = await import('./drift.ts');
    const all = declaredFields(world.ledger);
    const saved = structuredClone(world.twin.account);
    const queues = new Map<string, Declared[]>();
    for (const d of all) queues.set(d.address, [...(queues.get(d.address) ?? []), d]);
    const kindsPaths = new Set<string>();
    while (queues.size > 0) {
      const round: Declared[] = [];
      for (const [address, queue] of queues) { round.push(queue.shift()!); if (queue.length === 0) queues.delete(address); }
      const done: Declared[] = [];
      for (const d of round) {
        const key = `${d.kind} ${d.path}`;
        if (kindsPaths.has(key)) continue;
        if (exceptionOf(d)) { kindsPaths.add(key); lines.push('EXC ' + key); continue; }
        const live = objects.get(d.address)?.before;
        if (!live) { lines.push(`NOLIVE ${key}`); continue; }
        const o: any = await changeThroughSdk(world, d, live);
        if (o.is === 'changed') { done.push(d); kindsPaths.add(key); }
        else lines.push(`${o.is} ${key} ${o.why}`);
      }
      const next = await world.plan(yaml);
      for (const d of done) {
        const change = next.plan.changes.find(({ address }) => address === d.address);
        lines.push(`${isDriftOf(change, d.path) ? 'DRIFT' : 'WRONG'} ${d.kind} ${d.path} ${isDriftOf(change, d.path) ? '' : `${d.address} ${change?.action} ${JSON.stringify(change?.fields)}`}`);
      }
      for (const c of next.plan.changes) if (c.action !== 'noop' && !done.some((d) => d.address === c.address)) lines.push(`BESIDE ${c.action} ${c.address} ${JSON.stringify(c.fields)} in round of ${done.map((d) => d.kind + ' ' + d.path)}`);
      Object.assign(world.twin.account, structuredClone(saved));
    }
    await world.stop().catch((e) => lines.push(String(e)));
  }
  writeFileSync('/tmp/t11/drift', lines.join('\n'));
}, 200000);
