import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Switches } from '../../providers/hosting/twin/index.ts';
import { canDo } from '../../src/kind/define-kind.ts';
import type { Kind } from '../../src/kind/kind.ts';
import type { SideEffect } from '../../src/model/change.ts';
import type { Plan } from '../../src/model/plan.ts';
import { undeletedFindings, unsentFinding } from '../contract/of-run.ts';
import { noteCounts } from '../support/cost.ts';
import { bodyOf, casesOf, type FieldCase, touched, withoutKind } from '../support/field-cases.ts';
import { isFoundById } from '../support/found-by-id.ts';
import { type Block, sampleSeed } from '../support/samples.ts';
import { kinds as allKinds, World } from '../support/world.ts';

const options = { maxDeletions: 1000 };

/** Tests that every field of these kinds converges on a platform that behaves like this. */
export function everyFieldConverges(kinds: Kind[], switches: Switches, pageSize: number): void {
  const counts = { cases: 0, converged: 0, requests: 0 };
  noteCounts('converge', () => counts);
  let world: World;
  beforeAll(async () => {
    world = await World.start({ switches, pageSize, seed: sampleSeed });
  });
  afterAll(async () => {
    counts.requests += world.twin.requests.length;
    await world.stop();
  });

  it.each(kinds.map((kind) => [kind.name, kind] as const))('%s', async (name, kind) => {
    const cases = casesOf(kind);
    counts.cases += cases.length;
    const body = (step: number) => bodyOf(kind, cases, step);
    const go = async (wanted: Block) => {
      counts.converged++;
      const plan = await world.converge(stringify(wanted), options);
      expect(world.beside.filter((one) => !followsByItself(one))).toEqual([]);
      return plan;
    };
    // What the kind before left behind would only be listed over and over.
    world.clear();

    await go(body(0));
    // Each case changes one field, and so does the plan.
    for (const step of [1, 2]) expectOnlyThat(await go(body(step)), cases, step);

    // The same without a ledger: what equals the YAML is adopted, and nothing is sent.
    const { ledger } = world;
    world.ledger = { ...ledger, entries: {} };
    const found = stringify(withIds(body(2), ledger));
    const adopting = await world.plan(found, options);
    const unseen = cases.filter((one) => !one.readable).map(({ label }) => label);
    const sent = adopting.plan.operations.flatMap(({ changes }) => changes);
    expect(sent.filter((address) => !unseen.some((label) => touched(address, label)))).toEqual([]);
    await world.apply(adopting);
    // And remembered as if it had been created: the next plan has nothing to record.
    const next = await world.plan(found, options);
    const open = next.plan.changes.filter(({ fields }) => fields.some(({ cause }) => cause !== 'unverified'));
    expect(open.map(({ address }) => address)).toEqual([]);
    world.ledger = ledger;

    const since = world.twin.requests.length;
    expectOnlyThat(await go(body(3)), cases, 3);
    expect(world.writes(since), 'what is not named any more is let go, not sent').toEqual([]);

    const ended = await go(withoutKind(body(3), kind));
    const mine = ended.changes.filter(
      (change) => change.kind === name && cases.some(({ label }) => touched(change.address, label)),
    );
    const deletes = canDo(kind, 'delete') && !kind.lifecycle.container;
    expect(mine.length).toBeGreaterThanOrEqual(cases.length);
    // What each parent has may be in the state already that a deletion leaves.
    const mayBeReset = kind.key.length === 0 && typeof kind.shape.onlyDeclared === 'function';
    const actions = mine.map(({ action }) => action).filter((action) => !(mayBeReset && action === 'forget'));
    expect(new Set(actions)).toEqual(new Set([deletes ? 'delete' : 'release']));

    if (!deletes) return;
    const anew = await world.plan(stringify(body(3)), options);
    const undeleted = undeletedFindings(
      anew.plan,
      mine.map(({ address }) => address),
      kind.shape,
    );
    if (undeleted.length > 0) expect.fail(undeleted.join('\n'));
  });
}

/** Returns blocks with the `$id` of each object that the platform only finds by its id. */
function withIds(blocks: Block, { entries }: World['ledger']): Block {
  const copy = structuredClone(blocks);
  for (const [address, { kind, ids }] of Object.entries(entries)) {
    if (!isFoundById(kind, allKinds)) continue;
    const block = address.split('/').reduce((inner, step) => inner?.[step] as Block, copy);
    if (block) block.$id = ids[0];
  }
  return copy;
}

/**
 * A redirect gets its status from the platform, which takes that away with it; a region shows under its older name, too; a repository brings its branch; a group has
 * one default application: nobody wrote that.
 */
const followers = new Set([
  'projectDomain.redirectStatusCode',
  'project.serverlessFunctionRegion',
  'project.productionBranch',
  'microfrontendsProject.isDefaultApp',
]);
const followsByItself = (one: SideEffect) =>
  one.type === 'changed' && followers.has(`${one.kind}.${one.path}`);

/** Each case's objects change by its field alone, and those of a case that stays as it is do not. */
function expectOnlyThat(plan: Plan, cases: FieldCase[], step: number) {
  for (const one of cases) {
    const changed = plan.changes.filter(
      ({ address, action }) => touched(address, one.label) && action !== 'noop',
    );
    const expected = one.expected[step];
    if (expected === 'anything') continue;
    const seen = changed.map(({ kind, action, fields }) => ({
      kind,
      action,
      fields: fields
        .filter(({ cause }) => cause !== 'recorded')
        .map(({ path, cause }) => `${path}: ${cause}`),
    }));
    if (expected === undefined) expect(seen, `${one.label}, step ${step}`).toEqual([]);
    else {
      const edited = expected.fields.find((field) => field.endsWith(': edit'))?.replace(': edit', '');
      if (edited && seen.every(({ action, fields }) => action === 'adopt' && fields.length === 0))
        expect.fail(unsentFinding(expected.kind, edited));
      expect(seen.length, `${one.label}, step ${step}`).toBeGreaterThan(0);
      expect(new Set(seen.map((each) => JSON.stringify(each))), `${one.label}, step ${step}`).toEqual(
        new Set([JSON.stringify(expected)]),
      );
    }
  }
}
