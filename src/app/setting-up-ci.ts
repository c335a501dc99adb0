/*
 * Prepares a repository for CI, for `init --ci`: changes the YAML and moves ledgers after a person has agreed. `src/ci` finds
 * the necessary changes, and writes the workflows.
 */

import { type CiOptions, type InspectedRepository, inspectRepository } from '../ci/inspect-repository.ts';
import type { CiReader } from '../ci/inspect-single-stack.ts';
import { type CiEdits, planEdits } from '../ci/plan-edits.ts';
import { writeAllOrNone } from '../files/write-files.ts';
import { inFolder } from './planning/workspace-stacks.ts';
import type { Port } from './port.ts';
import { copyStackLedger } from './session/copy-stack-ledger.ts';
import type { LedgerTools } from './session/leased-ledgers.ts';

/** The changes that have to be made before workflows are written, with the facts about the repository. */
export interface CiPreparation extends CiEdits {
  facts: InspectedRepository;
  /** The facts after these changes. */
  factsAfter: InspectedRepository;
}

/**
 * Finds the changes of the YAML and the moves of ledgers that `init --ci` has to make before it writes workflows. `sample`: the
 * configuration that it writes into a repository without one. Writes nothing. Throws `Problems` if no workflow can be written.
 */
export async function findCiEdits(
  options: CiOptions,
  sample: string,
  reader: CiReader,
  { run: { host } }: Port,
): Promise<CiPreparation> {
  const facts = await inspectRepository(options, host, sample, reader);
  const edits = await planEdits(facts, options.ci ?? 'github', host);
  if (edits.files.length === 0) return { ...edits, facts, factsAfter: facts };
  // Proves the new texts before anything is changed: they have to be valid, and to mean stacks with the same names.
  const texts = new Map(edits.files.map(({ path, after }) => [path, after]));
  const factsAfter = await inspectRepository(options, host, sample, reader.withTexts(texts));
  return { ...edits, facts, factsAfter };
}

/**
 * Makes the changes of `init --ci` that a person has agreed to, and returns a line about each moved ledger. The ledgers move first: if that
 * fails, the YAML does not name a place where no ledger is. A second call goes on where the first one stopped.
 */
export async function carryOutCiEdits(
  { files, moves, ledgerPlace, facts: { stackFolder } }: CiPreparation,
  { port, provider }: LedgerTools,
): Promise<string[]> {
  const tools = { port: { ...port, run: inFolder(port.run, stackFolder) }, provider };
  const lines: string[] = [];
  for (const { stack, file } of moves) {
    const move = { stack, from: file, to: ledgerPlace };
    const { oldPlace, newPlace } = await copyStackLedger(move, {}, tools);
    lines.push(`the ledger of ${stack} to ${newPlace}; ${oldPlace} points there`);
  }
  await writeAllOrNone(files);
  return lines;
}
