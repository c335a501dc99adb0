import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { defaultSwitches, otherSwitches } from '../../providers/hosting/twin/index.ts';
import type { Request } from '../../src/model/request.ts';
import { oneStoryIn, runs } from '../support/sweep.ts';
import { Account } from './account.ts';

const story = oneStoryIn(4);

const seed = 20_260_301;
const times = runs(Number(process.env.TRUEUP_RUNS ?? 40), 10);
const project = 'customEnvironments: { staging: {}, qa: {} }';
const places = ['production', 'preview', 'development', 'custom:staging', 'custom:qa', 'preview:x'] as const;

type Place = (typeof places)[number];
type Type = 'plain' | 'encrypted' | 'sensitive';
/** One entry of the YAML under a key. */
interface Entry {
  key: string;
  value: string;
  type?: Type;
  comment?: string;
  places: Place[];
}
type State = Entry[];

const show = ({ key, value, type, comment, places }: Entry) =>
  `${key}=${value} ${type ?? '(any)'} ${places.join(' ')}${comment === undefined ? '' : ` # "${comment}"`}`;

/** What is found, then what is wanted, one state after the other. `order` decides which of several possible requests comes next. */
class Scenario {
  readonly found: State;
  readonly steps: State[];
  readonly order: number;
  constructor(found: State, steps: State[], order: number) {
    [this.found, this.steps, this.order] = [found, steps, order];
  }
  [fc.toStringMethod]() {
    const lines = (state: State) => state.map((entry) => `\n    ${show(entry)}`).join('') || '\n    nothing';
    return `order ${this.order}\n  found:${lines(this.found)}${this.steps.map((step, i) => `\n  step ${i + 1}:${lines(step)}`).join('')}\n`;
  }
}

/** The places of a key, dealt out to up to three entries. */
const entriesOf = (key: string, types: (Type | undefined)[]): fc.Arbitrary<Entry[]> =>
  fc
    .tuple(
      fc.tuple(...places.map(() => fc.option(fc.nat(2), { nil: undefined, freq: 2 }))),
      fc.array(
        fc.record({
          value: fc.constantFrom('u', 'v', 'w'),
          type: fc.constantFrom(...types),
          comment: fc.constantFrom(undefined, undefined, 'c', 'd', ''),
        }),
        { minLength: 3, maxLength: 3 },
      ),
    )
    .map(([dealt, kinds]) =>
      kinds.flatMap(({ value, type, comment }, index) => {
        const mine = places.filter((_, i) => dealt[i] === index);
        // A branch stands alone, and nothing sensitive is in development.
        const branch = mine.filter((place) => place === 'preview:x');
        const others = mine.filter(
          (place) => place !== 'preview:x' && (type !== 'sensitive' || place !== 'development'),
        );
        return [others, branch].flatMap((of) =>
          of.length === 0
            ? []
            : [
                {
                  key,
                  value,
                  places: of,
                  ...(type ? { type } : {}),
                  ...(comment === undefined ? {} : { comment }),
                },
              ],
        );
      }),
    );

const stateOf = (types: (Type | undefined)[]): fc.Arbitrary<State> =>
  fc.tuple(...['A', 'B', 'C'].map((key) => entriesOf(key, types))).map((lists) => lists.flat());

const scenariosOf = (types: (Type | undefined)[]) =>
  fc
    .tuple(
      fc.oneof(fc.constant<State>([]), stateOf(['plain', 'encrypted'])),
      fc.array(stateOf(types), { minLength: 2, maxLength: 4 }),
      fc.nat(1000),
    )
    .map(([found, steps, order]) => new Scenario(found, steps, order));

function envOf(state: State) {
  const env: Record<string, object[]> = {};
  for (const { key, places, ...rest } of state) {
    const targets = places.filter((place) => !place.includes(':'));
    const slugs = places.flatMap((place) => (place.startsWith('custom:') ? [place.slice(7)] : []));
    const where = {
      ...(places.includes('preview:x') ? { target: ['preview'], gitBranch: 'x' } : {}),
      ...(targets.length > 0 ? { target: targets } : {}),
      ...(slugs.length > 0 ? { customEnvironmentIds: slugs } : {}),
    };
    env[key] = [...(env[key] ?? []), { ...rest, ...where, $replace: 'allow' }];
  }
  return env;
}

/** A unit of the account: one key in one place. */
interface Unit {
  row: string;
  value: string;
  type: string;
  comment: string;
}

const differs = (unit: Unit, to: Entry | undefined) =>
  to !== undefined &&
  (to.value !== unit.value ||
    (to.type ?? unit.type) !== unit.type ||
    (to.comment ?? unit.comment) !== unit.comment);

const withoutPolicy = scenariosOf([undefined, 'plain', 'encrypted', 'sensitive']);
/** Under the policy of the team, other types are errors of the plan outside development. */
const underPolicy = scenariosOf([undefined, 'sensitive']);

describe.each([
  ['as the evidence says', defaultSwitches, false],
  ['the other way wherever it is silent', otherSwitches, false],
  ['as the evidence says, under the policy of the team', defaultSwitches, true],
  ['the other way, under the policy of the team', otherSwitches, true],
])('any sequence of wanted states, the platform behaving %s', (_, switches, strict) => {
  let account: Account;
  const numRuns = strict ? Math.ceil(times / 2) : times;
  const counts = { steps: 0, writes: 0, refused: 0 };
  beforeAll(async () => {
    account = await Account.start({ switches, strict });
  });
  afterAll(async () => {
    await account.world.stop();
    console.log(`env sequences: ${JSON.stringify({ runs: numRuns, ...counts })}`);
  });

  const strangers = () => JSON.stringify(account.project.env.filter(({ key }) => key.startsWith('OTHER')));

  /** Units of the managed keys; throws if two rows share a place. */
  function units(): Map<string, Unit> {
    const slug = (id: string) => account.project.customEnvironments.find((one) => one.id === id)!.slug;
    const found = new Map<string, Unit>();
    for (const { id, key, value, type, comment = '', ...row } of account.project.env) {
      if (key.startsWith('OTHER')) continue;
      const all = [
        ...row.target.map((target) => (row.gitBranch ? `${target}:${row.gitBranch}` : target)),
        ...row.customEnvironmentIds.map((one) => `custom:${slug(one)}`),
      ];
      for (const place of all) {
        if (found.has(`${key}@${place}`)) throw new Error(`two rows have ${key}@${place}`);
        found.set(`${key}@${place}`, { row: id, value, type, comment });
      }
    }
    return found;
  }

  function reset(found: State) {
    account.project.env.splice(0);
    account.world.ledger = { ...account.world.ledger, entries: {} };
    const others = [
      { key: 'OTHER_SENSITIVE', value: 'x', type: 'sensitive' as const },
      { key: 'OTHER_SYSTEM', value: 'x', type: 'system' as const, system: true },
      { key: 'OTHER', value: 'x', customEnvironments: ['qa'] },
    ];
    const rows = found.map(({ key, value, type, comment, places }) => ({
      ...{ key, value, type: type! },
      ...(comment === undefined ? {} : { comment }),
      ...(places.includes('preview:x') ? { gitBranch: 'x' } : {}),
      target: places.flatMap((place) =>
        place.startsWith('custom:') ? [] : [place.split(':')[0] as 'preview'],
      ),
      customEnvironments: places.flatMap((place) => (place.startsWith('custom:') ? [place.slice(7)] : [])),
    }));
    // Through a project of its own, since a seed adds whole projects.
    const { projects } = account.world.twin.account;
    account.world.twin.add({
      projects: [
        {
          name: 'seed',
          env: [...rows, ...others],
          customEnvironments: [{ slug: 'staging' }, { slug: 'qa' }],
        },
      ],
    });
    const added = projects.pop()!;
    const idOf = (id: string) => {
      const { slug } = added.customEnvironments.find((one) => one.id === id)!;
      return account.project.customEnvironments.find((one) => one.slug === slug)!.id;
    };
    account.project.env.push(
      ...added.env.map((row) => ({ ...row, customEnvironmentIds: row.customEnvironmentIds.map(idOf) })),
    );
  }

  /** What must not happen at any moment while `before` becomes `wanted`; undefined if nothing of it does. */
  function violation(
    before: Map<string, Unit>,
    wanted: Map<string, Entry>,
    owned: Set<string>,
  ): string | undefined {
    const now = units();
    for (const name of new Set([...before.keys(), ...wanted.keys(), ...now.keys()])) {
      const [old, entry, found] = [before.get(name), wanted.get(name), now.get(name)];
      if (found) {
        const isManaged = entry || owned.has(name);
        const values = [old?.value, ...(isManaged ? [entry?.value] : [])];
        if (!values.includes(found.value)) return `${name} has the value ${found.value}`;
        const types = [old?.type ?? 'encrypted', ...(isManaged ? [entry?.type] : []), strict && 'sensitive'];
        if (!types.includes(found.type)) return `${name} has the type ${found.type}`;
      } else if (old && mustStay(name, before, wanted, owned)) return `${name} is absent`;
    }
    return undefined;
  }

  function mustStay(name: string, before: Map<string, Unit>, wanted: Map<string, Entry>, owned: Set<string>) {
    const entry = wanted.get(name);
    if (!entry) return !owned.has(name);
    const { row, type } = before.get(name)!;
    if (type === 'sensitive' && entry.type && entry.type !== 'sensitive') return false;
    const fellows = [...before].filter(([, unit]) => unit.row === row);
    // The policy makes the rewritten part of a row sensitive, which development cannot be.
    if (strict && type !== 'sensitive' && fellows.some(([other, unit]) => differs(unit, wanted.get(other))))
      return name.endsWith('@production');
    return (
      name.endsWith('@production') ||
      fellows.every(([other]) => wanted.get(other) === entry) ||
      !fellows.some(
        ([other, unit]) => differs(unit, wanted.get(other)) || (owned.has(other) && !wanted.has(other)),
      )
    );
  }

  /** Whether a value would reach a place that nobody declared. */
  const isRefused = (before: Map<string, Unit>, wanted: Map<string, Entry>, owned: Set<string>) =>
    [...before].some(
      ([name, { row }]) =>
        !wanted.has(name) &&
        !owned.has(name) &&
        [...before].some(([other, unit]) => unit.row === row && differs(unit, wanted.get(other))),
    );

  /** Lets one write through at a time, in an order of its own, and looks at the account after each. */
  function watching(order: number, look: () => void): () => void {
    const { connection } = account.world;
    const { send } = connection;
    const waiting: { request: Request; settle: (answer: Promise<unknown>) => void }[] = [];
    let random = order;
    let busy = false;
    const work = async () => {
      if (busy) return;
      busy = true;
      for (;;) {
        await new Promise(setImmediate);
        if (waiting.length === 0) break;
        random = (random * 1103515245 + 12345) % 2147483648;
        const [next] = waiting.splice(random % waiting.length, 1);
        const answer = send(next!.request);
        await answer.catch(() => {});
        counts.writes++;
        look();
        next!.settle(answer);
      }
      busy = false;
    };
    connection.send = (request) =>
      request.endpoint.startsWith('GET ')
        ? send(request)
        : new Promise((settle) => {
            waiting.push({ request, settle });
            void work();
          });
    return () => {
      connection.send = send;
    };
  }

  story('converges, and no variable is ever wrong, or absent without need', async () => {
    await fc.assert(
      fc.asyncProperty(strict ? underPolicy : withoutPolicy, async ({ found, steps, order }) => {
        reset(found);
        account.world.twin.clearRequests();
        const others = strangers();
        let owned = new Set<string>();
        for (const step of steps) {
          const yaml = `projects:\n  web:\n    ${project}\n    env: ${JSON.stringify(envOf(step))}\n`;
          const before = units();
          const wanted = new Map(
            step.flatMap((entry) => entry.places.map((place) => [`${entry.key}@${place}`, entry])),
          );
          const first = await account.world.plan(yaml, { maxDeletions: 100 });
          const errors = first.plan.diagnostics.filter(({ severity }) => severity === 'error');
          const codes = [...new Set(errors.map(({ code }) => code))];
          expect(codes).toEqual(isRefused(before, wanted, owned) ? ['env/undeclared-targets'] : []);
          if (errors.length > 0) {
            counts.refused++;
            continue;
          }
          const violations: string[] = [];
          const stop = watching(order, () => {
            const found = violation(before, wanted, owned);
            if (found) violations.push(found);
            if (strangers() !== others) violations.push('a variable of somebody else changed');
          });
          const { outcome } = await account.world.apply(first);
          stop();
          expect(violations).toEqual([]);
          expect(
            outcome.failed.map(({ address, error }) => `${address}: ${(error as Error).message}`),
          ).toEqual([]);
          const second = await account.world.plan(yaml);
          expect(second.plan.operations.map(({ id }) => id)).toEqual([]);
          expect(second.plan.diagnostics).toEqual([]);

          const now = units();
          for (const [name, { value, type, comment }] of wanted) {
            const unit = now.get(name);
            expect(unit, name).toMatchObject({
              value,
              ...(type ? { type } : {}),
              ...(comment === undefined ? {} : { comment }),
            });
          }
          for (const [name, unit] of before)
            if (!wanted.has(name)) expect(now.get(name), name).toEqual(owned.has(name) ? undefined : unit);
          owned = new Set(wanted.keys());
          counts.steps++;
        }
      }),
      { seed, numRuns, endOnFailure: false },
    );
  });
});
