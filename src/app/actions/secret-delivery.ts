import { type ActionSubject, nameSubject } from '../../action/find-subject.ts';
import { toActionPlan } from '../../action/to-action-plan.ts';
import { splitShellWords } from '../../config/sources/command-pattern.ts';
import type { Action } from '../../kind/action.ts';
import { raise } from '../../model/diagnostic.ts';
import { emptyLedger } from '../../model/ledger.ts';
import type { Request } from '../../model/request.ts';
import type { SecretTo } from '../../model/resource.ts';
import { Sealed } from '../../model/sealed.ts';
import { memberAtPath } from '../../model/value.ts';
import { openRunDeliveries } from '../applying/apply-options.ts';
import type { Port } from '../port.ts';
import { createSources } from '../session/load-configuration.ts';
import type { ActionContext, ActionOptions } from './action-context.ts';

/** Delivers the secret in the answer of an action to its destination. */
interface SecretDelivery {
  deliver(answer: unknown): Promise<void>;
}

/**
 * Opens the delivery of a secret that an action returns only once, to the file or program of `--secret-to`; undefined if the action returns
 * none. The destination is checked before the action is sent, because the secret would be lost otherwise. Throws `Problems`.
 */
export async function openSecretDelivery(
  action: Action,
  request: Request,
  about: ActionSubject | undefined,
  options: ActionOptions,
  { masking, configuration }: ActionContext,
  port: Port,
): Promise<SecretDelivery | undefined> {
  const { name, shows } = action;
  const secretTo = findDestination(action, options);
  if (shows === undefined || secretTo === undefined) return undefined;
  const { host } = port.run;
  // Deliveries take a plan and a ledger. This plan has only the action with its destination, and the ledger is empty; neither has a stack.
  const plan = toActionPlan(action, { stack: '', request, secretTo, about: about && nameSubject(about) });
  const { judgeCommand } = createSources(options, host, port);
  const { twin, tokenFile, ledger } = options;
  const deliveries = openRunDeliveries(
    { plan, ledger: emptyLedger('', '', '') },
    { host, configuration, judgeCommand, say: port.say },
    { twin, tokenFile, ledger },
  );
  await deliveries.check();
  return {
    async deliver(answer) {
      const text = memberAtPath(answer, shows);
      if (typeof text !== 'string')
        raise('run/no-secret', `the answer to ${name} has no secret at ${shows}, although it succeeded`);
      const secret = new Sealed(text);
      masking.addSecret(secret);
      await deliveries.deliver(secretTo, secret, plan.changes[0]!.address);
      if (secretTo !== 'discard' && 'file' in secretTo && !options.twin)
        port.say(`Its secret is in ${secretTo.file}.`);
    },
  };
}

/**
 * Returns the destination of the secret that an action returns only once; undefined if it returns none. Throws `Problems` if only one of
 * the two is given: a secret without a destination would be lost.
 */
function findDestination({ name, shows }: Action, options: ActionOptions): SecretTo | undefined {
  const secretTo = parseSecretTo(options);
  if (shows === undefined && secretTo !== undefined)
    raise('run/no-secret', `${name} returns no secret, so there is none to deliver`);
  if (shows !== undefined && secretTo === undefined)
    raise('run/secret-to', `${name} returns a secret that is shown only once, and no destination is given`, {
      hint: 'pass --secret-to FILE, --secret-to-command or `--secret-to discard`; nothing was sent',
    });
  return secretTo;
}

/**
 * Parses `--secret-to` and `--secret-to-command` of `trueup run`: where to put a secret that the platform shows only once. Returns
 * undefined if neither is given. Throws `Problems` for an empty command and for a quote that is not closed.
 */
function parseSecretTo({ secretTo, secretToCommand }: ActionOptions): SecretTo | undefined {
  if (secretToCommand !== undefined) {
    const command = splitShellWords(secretToCommand);
    if (!command?.length) raise('run/secret-to', '--secret-to-command needs a program');
    return { command };
  }
  if (secretTo === undefined) return undefined;
  return secretTo === 'discard' ? 'discard' : { file: secretTo };
}
