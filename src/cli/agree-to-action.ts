import type { About } from '../app/actions/open-reading.ts';
import type { ActionOptions, Ground } from '../app/actions/run-ground.ts';
import type { Action } from '../kind/action.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { Request } from '../model/request.ts';
import { operationLines } from '../report/request-text.ts';
import { isYes, type Terminal } from './terminal.ts';

/**
 * Shows the request, and asks by what it risks: what costs money or cannot be undone takes its address once more, at a terminal or with
 * `--confirm`. True if somebody agrees. Throws `Problems` where nobody can be asked.
 */
export async function agreedTo(
  action: Action,
  request: Request,
  about: About | undefined,
  { autoApprove, confirm, verbose }: ActionOptions,
  { owner, masking }: Ground,
  terminal: Terminal,
): Promise<boolean> {
  const { name, grade, why, cost } = action;
  const word = about?.address ?? name;
  const { errStyle: style } = terminal;
  const risk = [
    ...(grade === 'safe' ? [] : [`${grade}: ${why}`]),
    ...(cost === undefined ? [] : [`costs money: ${cost}`]),
  ];
  terminal.say(
    masking.mask(
      [
        `${style.strong(name)}${about ? ` ${about.address}` : ''} in ${owner.type === 'team' ? `team ${owner.slug}` : 'the personal account'}`,
        ...risk.map((text) => `  ${style.warn(text)}`),
        ...operationLines({ requests: [request] }, { style, verbose: verbose ?? false }).map(
          (line) => `  ${line}`,
        ),
      ].join('\n'),
    ),
  );
  const isGrave = cost !== undefined || grade === 'irreversible';
  if (confirm !== undefined && confirm !== word)
    throw new Problems('run/confirm', `--confirm says ${JSON.stringify(confirm)}, but this acts on ${word}`, {
      hint: 'nothing was sent',
    });
  if (isGrave) return confirm !== undefined || saidAgain(word, action, terminal);
  if (autoApprove || confirm !== undefined) return true;
  return isYes(terminal, {
    question: '\nSend this?',
    no: 'Nothing was sent.',
    unattended: problem('cli/unattended', `${name} needs a terminal or --auto-approve; nothing was sent`, {
      hint: 'pass --auto-approve if this has already been approved',
    }),
  });
}

async function saidAgain(word: string, { name }: Action, terminal: Terminal): Promise<boolean> {
  if (!terminal.canAsk)
    throw new Problems(
      'run/confirm',
      `${name} costs money or cannot be undone: --auto-approve is not enough; nothing was sent`,
      {
        hint: `if this has already been approved, pass --confirm ${word}`,
      },
    );
  if ((await terminal.ask(`\nType ${word} to send this: `)) === word) return true;
  terminal.say('Nothing was sent.');
  terminal.run.exitCode = 1;
  return false;
}
