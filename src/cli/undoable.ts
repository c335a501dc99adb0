import { doubtText } from '../history/log-text.ts';
import { isOfAction, isOfLedger, type RecordHead, type RunRecord } from '../history/record.ts';
import { isVerified, keyless } from '../ledger/proof.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { noRun, type OpenHistory } from './history-place.ts';

/** The run and the one before it, if all that it takes to go back is there and verified. Throws `Problems`. */
export function undoable(number: number, history: OpenHistory): [RunRecord, RunRecord | undefined] {
  const { records, key } = history;
  if (!key) throw new Problems([keyless]);
  const at = records.findIndex(({ head }) => head.run === number);
  const record = records[at];
  if (!record) throw noRun(number, history);
  const refuse = (why: string, hint: string): never => {
    throw new Problems([problem('undo/impossible', `run ${number} cannot be undone: ${why}`, { hint })]);
  };
  if (isOfLedger(record.head)) refuse(...ofLedger(record.head));
  if (isOfAction(record.head))
    refuse(
      `it ran the action ${record.head.action}, and actions cannot be undone`,
      'if another action does the opposite, run that: `trueup run --list`',
    );
  // What only changed the ledger has no configuration: that of the run before it still held.
  let first = at;
  while (first > 0 && appliesNothing(records[first - 1]!.head)) first--;
  const before = records[first - 1];
  const since = records.slice(Math.max(first - 1, 0), at + 1);
  const isWhole =
    since.every(
      ({ head }, index) =>
        index === 0 ||
        (head.run === since[index - 1]!.head.run + 1 && head.previous === since[index - 1]!.digest),
    ) &&
    (before !== undefined || since[0]!.head.run === 1);
  const byHand = 'revert its commit, and apply';
  for (const one of since) {
    const { run, commit } = one.head;
    if (!isVerified(one.proof))
      refuse(
        `the record of run ${run} is not verified: ${doubtText(one.proof)}`,
        `unsigned records are not acted on; ${byHand}`,
      );
    if (appliesNothing(one.head)) continue;
    if (!commit)
      refuse(
        `run ${run} was not started in a repository, so its configuration is not available`,
        'edit the files and apply',
      );
    if (commit?.dirty)
      refuse(
        `run ${run} was applied from uncommitted files, so its configuration is not available`,
        'edit the files and apply; CI always applies a commit',
      );
  }
  if (!isWhole) refuse(`the record of the run before it is gone`, byHand);
  if (!before && since.some(({ head }) => head.from !== undefined))
    refuse(
      'it was the first to apply what another stack handed over, so no commit of this stack has the configuration from before',
      'edit the files and apply',
    );
  if (!record.details) refuse('it is too old: its changes are no longer kept', byHand);
  return [record, before];
}

/** It changed no field of an object, so the configuration of the run before it still held. */
export const appliesNothing = (head: RecordHead): boolean => isOfLedger(head) || isOfAction(head);

/** Why a record of what only changed the ledger is not undone, and what to do. */
function ofLedger({ command, was, to, from, stack }: RecordHead): [why: string, hint: string] {
  const noObject = 'it changed no object';
  switch (command) {
    case 'rename':
      return [
        `it only renamed the stack, and ${noObject}`,
        `to go back: \`trueup ledger rename ${stack} ${was}\``,
      ];
    case 'move':
      return to !== undefined
        ? [
            `it only transferred ownership to the stack ${to}, and ${noObject}`,
            `to go back: \`trueup ledger move ADDRESS --to ${stack}\` in the configuration of ${to}`,
          ]
        : [
            `it only took over ownership from the stack ${from}, and ${noObject}`,
            `to go back: \`trueup ledger move ADDRESS --to ${from}\``,
          ];
    case 'sign':
      return [
        `it only signed the ledger, and ${noObject}`,
        '`trueup ledger list` shows its entries; `trueup ledger forget ADDRESS` removes one',
      ];
    default:
      return [
        `it only dropped what the stack owned, and ${noObject}`,
        'declare the objects and apply: they are adopted as they are',
      ];
  }
}
