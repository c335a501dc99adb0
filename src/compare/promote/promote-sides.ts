import { diffAccepted } from '../../accept/accepted-files.ts';
import type { ChangedFile } from '../../accept/changed-files.ts';
import type { Port } from '../../app/port.ts';
import { allProblemsOf, type FileTexts, type WrittenConfiguration } from '../../config/configuration.ts';
import { writeAllOrNone } from '../../files/write-files.ts';
import type { Kinds } from '../../kind/kind.ts';
import { type Diagnostic, problem, raise, raiseErrors } from '../../model/diagnostic.ts';
import { createUnmatchedGlobProblems } from '../../plan/unmatched-globs.ts';
import { cleanLine } from '../../report/text.ts';
import type { OpenedComparison, OpenedSide } from '../open-sides.ts';
import { promote, refusalText } from './promote.ts';
import { exactText, type PromotionSides, type UnchangedConfiguration } from './prove-edits.ts';

/** The port of a promotion. */
export interface PromotionPort extends Port {
  /** Shows the difference of the files. */
  out(text: string): void;
  /** Asks whether to write the files. */
  confirm(files: readonly ChangedFile[]): Promise<boolean>;
}

/**
 * Writes into the YAML of B what the chosen objects have in A, for `trueup diff A B --promote ADDRESS`. Shows the difference of the files
 * and asks before it writes. Throws `Problems`, with nothing written, if an object cannot be promoted alone: A, the other stages of the
 * configuration and all other objects of B stay as they are.
 */
export async function promoteSides(
  opened: OpenedComparison,
  globs: readonly string[],
  kinds: Kinds,
  port: PromotionPort,
): Promise<void> {
  const { a, b, comparison } = opened;
  const reloadB = requireWritableSide(b);
  raiseErrors(createUnmatchedGlobProblems([...globs], [...a.side.objects.keys()]));
  const sides: PromotionSides = {
    kinds,
    comparison,
    isOneConfiguration: !a.named.isLive && isSameConfiguration(a, b),
    configuration: b.configuration,
    reloadB,
    unchanged: await findUnchanged(opened),
  };
  const { texts, configuration, refused } = await promote(sides, globs);
  raiseErrors(refused.map((refusal) => unpromotableProblem(refusalText(refusal))));
  const files = changedFilesOf(b.configuration, texts);
  if (files.length === 0) return port.say('Nothing to promote: no text makes these objects more equal.');
  const fileNames = files.map(({ name }) => name).join(', ');
  const otherChange = await b.checkOtherStacks(files);
  if (otherChange !== undefined)
    raise([unpromotableProblem(`${fileNames} cannot be changed: ${otherChange}`)]);
  const otherStages = sides.unchanged.map((other) => other.configuration);
  port.out(
    diffAccepted(files, [b.configuration, ...otherStages], [configuration], {
      allowed: new Set(),
      moves: [],
    }),
  );
  if (!(await port.confirm(files))) return;
  await writeAllOrNone(files);
  port.say(`Wrote ${fileNames}.`);
}

const unpromotableProblem = (message: string): Diagnostic =>
  problem('diff/unpromotable', message, { hint: 'edit it by hand; nothing was written' });

/**
 * Checks that side B has files which `trueup diff --promote` can edit, and returns the function to read its configuration with new texts of
 * these files, by which each edit is tried before anything is written. Throws `Problems` if B is a commit or an account.
 */
function requireWritableSide({ named, reload }: OpenedSide): NonNullable<OpenedSide['reload']> {
  if (reload && !named.isLive) return reload;
  raise('diff/promote-side', `${cleanLine(named.text)} has no files that could be written`, {
    hint: 'promote to a stage or a stack of the working directory',
  });
}

/**
 * True if both sides of `trueup diff --promote` are read from the same files, perhaps in two stages. Then the variables and conditions of
 * stage A can be written for stage B, too. If both are even one stage (an account against its own configuration), A changes with B. False
 * for a commit, which no edit changes (it has no `reload`). Only files of the configuration itself (`part`) are compared, not data.
 */
function isSameConfiguration(a: OpenedSide, b: OpenedSide): boolean {
  const pathsOf = ({ configuration }: OpenedSide) =>
    configuration.written().files.flatMap(({ role, path }) => (role === 'part' ? path : []));
  return [a, b].every(({ reload }) => reload) && JSON.stringify(pathsOf(a)) === JSON.stringify(pathsOf(b));
}

/**
 * Returns the configurations that a promotion to side B must leave as they are: that of A, unless it is B itself or a commit, which no edit
 * changes, and the other stages of the configuration of B. Each edit is proved by reading them again.
 */
async function findUnchanged({ a, b }: OpenedComparison): Promise<UnchangedConfiguration[]> {
  const isOneConfiguration = isSameConfiguration(a, b);
  // If an account is compared with its own configuration, that is B, and it changes.
  const isAChanged = isOneConfiguration && a.side.stage === b.side.stage;
  const ofA: UnchangedConfiguration[] =
    a.reload && !isAChanged
      ? [
          {
            name: a.named.isLive ? `the configuration of ${a.named.text}` : a.named.text,
            configuration: a.configuration,
            before: exactText(a.configuration),
            reload: a.reload,
            isSideA: true,
          },
        ]
      : [];
  const otherStages = b.configuration.stages.filter(
    (stage) => stage !== b.side.stage && !(isOneConfiguration && stage === a.side.stage),
  );
  const ofStages: UnchangedConfiguration[] = [];
  for (const stage of otherStages) {
    // B can be written (`requireWritableSide`), so it can be read again.
    const reload = (texts: FileTexts) => b.reload!(texts, stage);
    const configuration = await reload(new Map());
    raiseErrors(allProblemsOf(configuration));
    ofStages.push({ name: `the stage ${stage}`, configuration, before: exactText(configuration), reload });
  }
  return [...ofA, ...ofStages];
}

/**
 * Returns the files of a configuration whose text `trueup diff --promote` changes, each with the text before and after. `texts`: the new
 * texts by path.
 */
const changedFilesOf = (configuration: WrittenConfiguration, texts: FileTexts): ChangedFile[] =>
  configuration.written().files.flatMap(({ path, source }) => {
    const after = texts.get(path);
    return after === undefined || after === source.text
      ? []
      : [{ path, name: source.file, before: source.text, after }];
  });
