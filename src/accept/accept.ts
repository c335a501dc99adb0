import type { ConfigurationText } from '../config/configuration.ts';
import type { ExportResult } from '../export/export-live.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import { addressAfter, type Move } from '../model/move.ts';
import type { Plan } from '../model/plan.ts';
import type { Desired, Live } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import type { Acceptance, Selection } from './acceptance.ts';
import type { Unplaced } from './accepted-change.ts';
import { ChangeWriter } from './change-writer.ts';
import { declareNewObjects, type ExtendedSection } from './declare-new-objects.ts';
import { findAcceptedChanges } from './find-accepted-changes.ts';
import { applyTextEdits } from './yaml-file.ts';

/** A file that is to have another text. */
export interface ChangedFile {
  /** The real path. */
  path: string;
  name: string;
  before: string;
  after: string;
}

interface AcceptRequest {
  plan: Pick<Plan, 'changes' | 'diagnostics'>;
  desired: Pick<Desired, 'resources'>;
  live: Live;
  written: ConfigurationText;
  kinds: Kinds;
  /** The objects to declare, which nobody declares yet. */
  additions?: ReadonlySet<Address>;
  /** True if a secret of this name would be read as another value here. By default none would. */
  isTaken?(name: string, value: Sealed | undefined): boolean;
}

export interface AcceptResult extends Acceptance {
  files: ChangedFile[];
  unplaced: Unplaced[];
  /** The removals beside blocks, for people. */
  removedRows: readonly string[];
  /** The new declarations. */
  exported?: ExportResult;
  /** The sections in which that is. */
  extendedSections: ExtendedSection[];
  /** The renamed addresses; `paths` has them under their new names. */
  moves: Move[];
}

/** Writes what was changed outside into the texts of the configuration, each value where it stands. Pure: nothing is read or written. */
export function accept(input: AcceptRequest, selection: Selection): AcceptResult {
  const { written, kinds, plan, desired, live, additions, isTaken = () => false } = input;
  const taken = findAcceptedChanges({ plan, desired, live, blocks: written.blocks, kinds }, selection);
  const placing = new ChangeWriter(written, kinds);
  for (const accepted of taken.accepted) placing.write(accepted);
  const added = additions?.size
    ? declareNewObjects(additions, { desired, live, kinds, written, isTaken }, placing)
    : undefined;
  placing.finish();
  const files = placing.slots.files.flatMap(({ path, name, text, edits }): ChangedFile[] => {
    const after = applyTextEdits(text, edits);
    return after === text ? [] : [{ path, name, before: text, after }];
  });
  for (const { address } of placing.notRenamed)
    forget(taken.paths, address, kinds.get(desired.resources.get(address)!.kind)!.key);
  const { moves } = placing.patches;
  return {
    ...taken,
    leftOut: [...taken.leftOut, ...placing.notRenamed],
    paths: new Map([...taken.paths].map(([address, paths]) => [addressAfter(address, moves), paths])),
    moves,
    files,
    unplaced: placing.unplaced,
    removedRows: placing.said,
    extendedSections: added?.sections ?? [],
    exported: added?.exported,
  };
}

/** These fields are not taken over after all. */
function forget(paths: Acceptance['paths'], address: Address, names: readonly string[]): void {
  for (const name of names) paths.get(address)?.delete(name);
  if (paths.get(address)?.size === 0) paths.delete(address);
}
