import { expect } from 'vitest';
import { type AcceptResult, accept } from '../../src/accept/accept.ts';
import { acceptSafely } from '../../src/accept/accept-safely.ts';
import type { Selection } from '../../src/accept/acceptance.ts';
import { newTextsOf } from '../../src/accept/changed-files.ts';
import { findAddedAddresses } from '../../src/accept/declare-new-objects.ts';
import { findDefects } from '../../src/accept/find-defects.ts';
import type { FileTexts } from '../../src/config/configuration.ts';
import type { Kind } from '../../src/kind/kind.ts';
import type { Address } from '../../src/model/address.ts';
import { isDrift, type Plan } from '../../src/model/plan.ts';
import type { PlanOptions } from '../../src/plan/input.ts';
import { kinds, World } from '../support/world.ts';

export interface AcceptedText extends AcceptResult {
  /** The texts of all files afterwards, by name. */
  texts: Record<string, string>;
  /** What a plan of them disproves. */
  wrong: string[];
  before: Plan;
  after: Plan;
  /** The addresses of what is drift still. */
  open: string[];
}

/** Takes over what was changed outside into the configuration of a world, and plans the result. */
export async function acceptIn(
  world: World,
  files: Record<string, string>,
  selection: Partial<Selection> = {},
  options: PlanOptions = {},
  additions: ReadonlySet<Address> = new Set(),
  also: (kind: Kind) => boolean = () => false,
): Promise<AcceptedText> {
  const planned = await world.plan(files, options, also);
  const { plan, configuration } = planned;
  const { desired } = configuration;
  const input = { plan, desired, live: planned.live, written: configuration.written(), kinds, additions };
  const result = await acceptSafely(
    (refused) =>
      accept(
        { ...input, refused },
        { isChosen: () => true, isNamed: false, mayWrite: () => true, ...selection },
      ),
    configuration,
    (newTexts) => world.configure(textsWith(files, newTexts)),
  );
  const texts = textsWith(files, newTextsOf(result.files));
  const next = await world.plan(texts, options);
  const now = next.configuration.desired;
  const made = findAddedAddresses(desired.resources, now.resources, result.extendedSections);
  const paths = new Map([...result.paths, ...made.map((address) => [address, new Set([''])] as const)]);
  const wrong = findDefects({ plan, desired }, { plan: next.plan, desired: now }, paths, result.moves);
  const errors = next.configuration.diagnostics.filter(({ severity }) => severity === 'error');
  return {
    ...result,
    texts,
    wrong: [...errors.map(({ message }) => message), ...wrong],
    before: plan,
    after: next.plan,
    open: next.plan.changes.filter(isDrift).map(({ address }) => address),
  };
}

/** The texts of files by name, with the changes of an accept. */
function textsWith(files: Record<string, string>, newTexts: FileTexts): Record<string, string> {
  const nameOf = (path: string) => Object.keys(files).find((file) => path.endsWith(`/${file}`)) ?? path;
  return { ...files, ...Object.fromEntries([...newTexts].map(([path, text]) => [nameOf(path), text])) };
}

/**
 * Accepts changes in a world like `acceptIn`, and expects that all of them are written, that a plan of the new texts proves them,
 * and that no drift is left.
 */
export async function acceptAllIn(world: World, files: Record<string, string>): Promise<AcceptedText> {
  const result = await acceptIn(world, files);
  const { wrong, unplaced, open, leftOut } = result;
  expect({ wrong, unplaced, open, leftOut }).toEqual({ wrong: [], unplaced: [], open: [], leftOut: [] });
  return result;
}

/** Runs a test in a world of its own, and stops the world afterwards. */
export async function inWorld<T>(work: (world: World) => Promise<T>): Promise<T> {
  const world = await World.start();
  try {
    return await work(world);
  } finally {
    await world.stop();
  }
}

/** A whole file: the header for the account of a world, and a body. */
export const fileOf = (world: World, body: string): Record<string, string> => ({
  'trueup.yaml': `stack: test\nplatform: { team: ${world.twin.account.teams[0]!.slug} }\n${body}`,
});
