import { join } from 'node:path';
import { memberAtPath } from '../../action/lookup-rows.ts';
import { toActionPlan } from '../../action/to-action-plan.ts';
import { splitShellWords } from '../../config/sources/command-pattern.ts';
import type { Action } from '../../kind/action.ts';
import { Problems } from '../../model/diagnostic.ts';
import { emptyLedger } from '../../model/ledger.ts';
import type { Request } from '../../model/request.ts';
import type { SecretTo } from '../../model/resource.ts';
import { Sealed } from '../../model/sealed.ts';
import { openDeliveries } from '../../run/deliveries.ts';
import type { Port } from '../host.ts';
import { homeFolder } from '../session/home-folder.ts';
import { sourcesFor } from '../session/sources-for.ts';
import type { ActionContext, ActionOptions } from './action-context.ts';
import type { ActionSubject } from './read-only-account.ts';

/** Takes the secret of an answer where it belongs. */
interface Delivery {
  deliver(answer: unknown): Promise<void>;
}

/** The way of the secret that an action shows once, checked before anything is sent; undefined where it shows none. Throws `Problems`. */
export async function openSecretDelivery(
  action: Action,
  request: Request,
  about: ActionSubject | undefined,
  options: ActionOptions,
  { masking, configuration }: ActionContext,
  port: Port,
): Promise<Delivery | undefined> {
  const { name, shows } = action;
  const to = readSecretTo(options);
  if (shows === undefined) {
    if (to === undefined) return undefined;
    throw new Problems('run/no-secret', `${name} returns no secret, so there is none to deliver`);
  }
  if (to === undefined)
    throw new Problems(
      'run/secret-to',
      `${name} returns a secret that is shown only once, and no destination is given`,
      {
        hint: 'pass --secret-to FILE, --secret-to-command or `--secret-to discard`; nothing was sent',
      },
    );
  const { host } = port.run;
  const place = about && { address: about.address, kind: about.lineage.at(-1)!.kind };
  const plan = toActionPlan(action, { stack: '', request, secretTo: to, about: place });
  const deliveries = openDeliveries(
    { plan, ledger: emptyLedger('', '', '') },
    {
      cwd: host.cwd,
      env: host.env,
      judgeCommand: sourcesFor(options, host, port).judgeCommand,
      reserved: [
        homeFolder,
        ...configuration.files,
        ...[options.tokenFile, options.ledger].filter((file) => file !== undefined),
      ],
      twinFolder: options.twin ? join(homeFolder, 'twin', 'secrets') : undefined,
      say: port.say,
    },
  );
  await deliveries.check();
  return {
    async deliver(answer) {
      const secret = memberAtPath(answer, shows);
      if (typeof secret !== 'string')
        throw new Problems(
          'run/no-secret',
          `the answer to ${name} has no secret at ${shows}, although it succeeded`,
        );
      const sealed = new Sealed(secret);
      masking.addSecret(sealed);
      await deliveries.deliver(to, sealed, plan.changes[0]!.address);
      if (to !== 'discard' && 'file' in to && !options.twin) port.say(`Its secret is in ${to.file}.`);
    },
  };
}

function readSecretTo({ secretTo: file, secretToCommand: words }: ActionOptions): SecretTo | undefined {
  if (words !== undefined) {
    const command = splitShellWords(words);
    if (!command?.length) throw new Problems('run/secret-to', '--secret-to-command needs a program');
    return { command };
  }
  if (file === undefined) return undefined;
  return file === 'discard' ? 'discard' : { file };
}
