import type { WrittenDown } from '../config/load.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Plan } from '../model/plan.ts';
import type { Desired, Live } from '../model/resource.ts';
import { type Selection, type TakenOver, takenOver } from './from-plan.ts';
import { Placing, type Unplaced } from './place.ts';
import { edited } from './text-edit.ts';

/** A file that is to have another text. */
export interface ChangedFile {
  /** The real path. */
  path: string;
  name: string;
  before: string;
  after: string;
}

export interface AcceptInput {
  plan: Pick<Plan, 'changes' | 'diagnostics'>;
  desired: Pick<Desired, 'resources'>;
  live: Pick<Live, 'resources'>;
  written: WrittenDown;
  kinds: Kinds;
}

export interface AcceptResult extends TakenOver {
  files: ChangedFile[];
  unplaced: Unplaced[];
  /** What is taken out beside blocks, for people. */
  said: string[];
}

/** Writes what was changed outside into the texts of the configuration, each value where it stands. Pure: nothing is read or written. */
export function accept({ written, kinds, ...given }: AcceptInput, selection: Selection): AcceptResult {
  const taken = takenOver({ ...given, blocks: written.blocks, kinds }, selection);
  const placing = new Placing(written, kinds);
  for (const one of taken.accepted) placing.put(one);
  placing.finish();
  const files = placing.places.files.flatMap(({ path, name, text, edits }): ChangedFile[] => {
    const after = edited(text, edits);
    return after === text ? [] : [{ path, name, before: text, after }];
  });
  return { ...taken, files, unplaced: placing.unplaced, said: placing.said };
}
