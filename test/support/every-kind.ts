import { stringify } from 'yaml';
import { kinds } from '../../providers/hosting/kinds/index.ts';
import type { Kind } from '../../src/kind/kind.ts';
import { bodyOf, casesOf } from './field-cases.ts';
import { merged, sampleSeed } from './samples.ts';
import { inTurn } from './sweep.ts';
import { World } from './world.ts';

/** The YAML of every kind, or of some, with all its fields, or a part of them, as they are in this step: set in 0, changed in 1. */
export function everyKind(of: Kind[] = kinds, part = 1): (step: number) => string {
  // Half of the cases are all fields once.
  const all = of.map((kind, at) => {
    const cases = casesOf(kind).filter(({ label }) => !label.endsWith('set'));
    return { kind, cases: inTurn(cases, at, Math.ceil(cases.length / part)) };
  });
  return (step) => stringify(merged(...all.map(({ kind, cases }) => bodyOf(kind, cases, step))));
}

let inputs: ReturnType<typeof makeInputs> | undefined;

/**
 * What `plan` is given where every kind with a twentieth of its fields (in the sweep with all of them) is created, changed, adopted with a change, and ended. Made once for all files
 * that a process tests, which therefore leave it as it is.
 */
export function inputsOfEveryKind(): ReturnType<typeof makeInputs> {
  inputs ??= makeInputs();
  return inputs;
}

async function makeInputs() {
  const world = await World.start({ seed: sampleSeed });
  // The inputs of a recorded plan note what is read of them, and tests freeze the inputs.
  world.replays = false;
  const body = everyKind(kinds, 20);
  const first = await world.plan(body(0));
  await world.apply(first);
  const change = await world.plan(body(1));
  const end = await world.plan('projects: {}', { destroy: true });
  world.ledger = { ...world.ledger, entries: {} };
  const adoption = await world.plan(body(1));
  await world.stop();
  return { creation: first.input, change: change.input, adoption: adoption.input, end: end.input };
}
