import childProcess from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import { performance } from 'node:perf_hooks';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { comparedFields } from '../src/kind/compare.ts';
import { traitsOf } from '../src/kind/traits.ts';
import { Sealed } from '../src/model/sealed.ts';
import { type Fields, isPlainObject, type Value } from '../src/model/value.ts';
import type { PlanInput } from '../src/plan/input.ts';
import { plan } from '../src/plan/plan.ts';
import { planJson } from '../src/report/plan-json.ts';
import { inputsOfEveryKind } from './support/every-kind.ts';
import { oneStoryIn, runs } from './support/sweep.ts';
import { kinds } from './support/world.ts';

const story = oneStoryIn(4);

/** Everything of a plan, as bytes. */
const bytes = (input: PlanInput): string => {
  const made = plan(input);
  return JSON.stringify([planJson(made), made.operations, made.unmanaged], null, 1);
};

describe.each(['creation', 'change', 'adoption', 'end'] as const)('planning the %s of everything', (name) => {
  let input: PlanInput;
  let usual: string;
  beforeAll(async () => {
    input = (await inputsOfEveryKind())[name];
    usual = bytes(input);
  });

  story('needs neither network nor clock nor chance nor environment', () => {
    expect(nowhere(() => bytes(input))).toBe(usual);
    expect(JSON.parse(usual)[1].length).toBeGreaterThan(50);
  });

  story('leaves its input as it was', () => {
    frozen([...input.desired.resources.values()]);
    frozen([...input.live.resources.values()]);
    frozen(input.ledger);
    const maps = [input.desired.resources, input.live.resources, input.secrets].map((map) => [...map.keys()]);
    bytes(input);
    expect(
      [input.desired.resources, input.live.resources, input.secrets].map((map) => [...map.keys()]),
    ).toEqual(maps);
  });

  story('makes the same bytes of the same input in any order', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        expect(bytes(shuffled(input, seed))).toBe(usual);
      }),
      { numRuns: runs(2, 10) },
    );
  });
});

it('the place without a world is one', () => {
  const uses: (() => unknown)[] = [
    () => Date.now(),
    () => new Date(),
    () => Math.random(),
    () => performance.now(),
    () => process.env.HOME,
    () => fetch('http://localhost'),
    () => fs.readFileSync('package.json'),
    () => net.connect(1),
    () => crypto.randomBytes(1),
    () => crypto.randomUUID(),
  ];
  for (const use of uses) expect(() => nowhere(use), String(use)).toThrow('not here');
  expect(Date.now()).toBeGreaterThan(0);
});

/** Runs something where nothing of the outside can be used. */
function nowhere<T>(run: () => T): T {
  function refuse(): never {
    throw new Error('not here');
  }
  const undo: (() => void)[] = [];
  const replace = (owner: object, name: string, descriptor: PropertyDescriptor) => {
    const old = Object.getOwnPropertyDescriptor(owner, name);
    if (old?.configurable === false && !old.writable) return;
    Object.defineProperty(owner, name, { configurable: true, ...descriptor });
    undo.push(() => (old ? Object.defineProperty(owner, name, old) : Reflect.deleteProperty(owner, name)));
  };
  const proxy = new Proxy(refuse, { get: refuse, construct: refuse, apply: refuse });
  // A date that is made from a number reads no clock.
  const dates = new Proxy(Date, {
    get: refuse,
    apply: refuse,
    construct: (target, args: [number]) => (args.length > 0 ? new target(...args) : refuse()),
  });
  replace(globalThis, 'Date', { value: dates, writable: true });
  for (const name of ['performance', 'fetch', 'crypto', 'setTimeout', 'setInterval', 'setImmediate'])
    replace(globalThis, name, { value: proxy, writable: true });
  replace(Math, 'random', { value: refuse, writable: true });
  replace(performance, 'now', { value: refuse, writable: true });
  for (const builtin of [fs, net, http, childProcess, os])
    for (const [name, value] of Object.entries(builtin))
      if (typeof value === 'function' && !/^[A-Z_]/.test(name))
        replace(builtin, name, { value: refuse, writable: true });
  for (const name of ['randomBytes', 'randomUUID', 'randomInt', 'randomFillSync', 'getRandomValues'])
    replace(crypto, name, { value: refuse, writable: true });
  syncBuiltinESMExports();
  // Last, since the line above looks at them.
  for (const name of ['env', 'hrtime', 'cwd', 'argv']) replace(process, name, { get: refuse });
  try {
    return run();
  } finally {
    for (const back of undo.reverse()) back();
    syncBuiltinESMExports();
  }
}

function frozen(value: unknown): void {
  if (typeof value !== 'object' || value === null || value instanceof Sealed || Object.isFrozen(value))
    return;
  Object.freeze(value);
  for (const inner of Object.values(value)) frozen(inner);
}

/** The same input: members, maps and lists without an order in another one. */
function shuffled(input: PlanInput, seed: number): PlanInput {
  let state = seed >>> 0;
  const mix = <T>(items: Iterable<T>): T[] => {
    const list = [...items];
    for (let last = list.length - 1; last > 0; last--) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const other = (state >>> 8) % (last + 1);
      [list[last], list[other]] = [list[other]!, list[last]!];
    }
    return list;
  };
  const mixMap = <V>(map: ReadonlyMap<string, V>, change: (value: V) => V = (value) => value) =>
    new Map(mix(map).map(([key, value]): [string, V] => [key, change(value)]));
  const mixMembers = <T>(value: T): T => {
    if (Array.isArray(value)) return value.map(mixMembers) as T;
    // Holes are made by code, always alike.
    if (!isPlainObject(value)) return value;
    return Object.fromEntries(
      mix(Object.entries(value)).map(([name, inner]) => [name, mixMembers(inner)]),
    ) as T;
  };
  const mixFields = (kind: string, fields: Fields): Fields => {
    const schemas = { ...kinds.get(kind)!.fields, ...comparedFields(kinds.get(kind)!) };
    const isSet = (name: string, value: Value) =>
      Array.isArray(value) && schemas[name] && traitsOf(schemas[name]).unordered;
    return Object.fromEntries(
      mix(Object.entries(fields)).map(([name, value]) => [
        name,
        mixMembers(isSet(name, value) ? (mix(value as Value[]) as Value) : value),
      ]),
    );
  };
  const { desired, live, ledger } = input;
  return {
    ...input,
    secrets: mixMap(input.secrets),
    facts: mixMembers(input.facts),
    desired: {
      ...desired,
      resources: mixMap(desired.resources, (one) => ({ ...one, fields: mixFields(one.kind, one.fields) })),
    },
    live: {
      complete: new Set(mix(live.complete)),
      partial: new Set(mix(live.partial)),
      unreadable: mixMap(live.unreadable),
      blocked: mixMap(live.blocked),
      staged: mixMap(live.staged),
      versions: mixMap(live.versions),
      writes: mixMap(live.writes),
      undeclarable: mixMap(live.undeclarable),
      resources: mixMap(live.resources, (one) => ({
        ...one,
        // The rows of a unit are listed in any order.
        ...(one.rows
          ? {
              ids: mix(one.ids),
              rows: mix(one.rows.map((row) => ({ ...row, fields: mixFields(one.kind, row.fields) }))),
            }
          : {}),
        fields: mixFields(one.kind, one.fields),
      })),
    },
    ledger: { ...ledger, entries: mixMembers(ledger.entries) },
  };
}
