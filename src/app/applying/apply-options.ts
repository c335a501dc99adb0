import { join } from 'node:path';
import type { Configuration } from '../../config/configuration.ts';
import { findConfigurationCommit } from '../../config/configuration-commit.ts';
import type { Sources } from '../../config/sources/sources.ts';
import { findStarter } from '../../history/find-starter.ts';
import { openRecording, type RunFacts } from '../../history/open-recording.ts';
import type { Host } from '../../host.ts';
import type { Plan } from '../../model/plan.ts';
import { standardParallelism } from '../../model/planned-action.ts';
import { planJson } from '../../report/plan-json.ts';
import type { ApplyPlanOptions } from '../../run/apply.ts';
import { type Deliveries, openDeliveries } from '../../run/deliveries.ts';
import type { Planned } from '../../run/open-plan.ts';
import {
  chosenLedgerFile,
  createHomeFolder,
  homeFolder,
  type LedgerChoice,
  usesHome,
} from '../../stores/ledger-choice.ts';
import type { WritingOptions } from '../planning/plan-options.ts';
import { requireKey, type Session } from '../session/session.ts';
import type { StackOptions } from '../stack-options.ts';

/**
 * Returns the options of `apply` that are the same for the command line and the library. `prepare` creates the folder and the key that the
 * first write needs. `record` starts the history record of the run, and `deliveries` puts secrets that are shown once where they belong.
 * Also keeps texts of the plan readable in masked output, because people see the plan anyway. `commandFacts`: facts for the record, such as
 * the approval.
 */
export function createApplyOptions(
  session: Session,
  planned: Planned,
  options: WritingOptions,
  commandFacts: Partial<RunFacts> = {},
): Pick<ApplyPlanOptions, 'parallelism' | 'settle' | 'deliveries' | 'prepare' | 'record'> {
  session.masking.setVisibleText(() => searchableText(planned.plan));
  const { host, configuration, sources } = session;
  const say = (text: string) => session.say(text);
  const delivering = { host, configuration, judgeCommand: sources.judgeCommand, say };
  return {
    parallelism: options.parallelism ?? standardParallelism,
    settle: options.settle * 1000,
    deliveries: openRunDeliveries(planned, delivering, { ...options, ...session.ledgerChoice }),
    prepare: async () => {
      if (usesHome(session.ledgerChoice, host)) await createHomeFolder(host);
      await requireKey(session, options);
    },
    record: async () => {
      const { documents, ledger } = session;
      const { plan, digest } = planned;
      return openRecording({
        documents,
        ledger,
        key: await requireKey(session, options),
        plan,
        digest,
        about: await collectRunFacts(session, options, {
          ...commandFacts,
          approval: digest === undefined ? commandFacts.approval : 'saved plan',
        }),
        now: host.clock.now,
      });
    },
  };
}

/**
 * Returns all names and texts that a plan shows. Masking replaces secrets in all output of a run, and must leave out words of the plan,
 * such as a name that a secret happens to equal.
 */
function searchableText(plan: Plan): string {
  const texts: string[] = [];
  // Only visits all members. The JSON itself is not used.
  JSON.stringify(planJson(plan), (name, value) => {
    texts.push(name);
    if (typeof value === 'string') texts.push(value);
    return value;
  });
  return texts.join('\n');
}

/** The run that delivers secrets. */
interface DeliveringRun {
  host: Host;
  configuration: Pick<Configuration, 'files'>;
  judgeCommand: Sources['judgeCommand'];
  say(text: string): void;
}

/**
 * Opens the deliveries of a plan: the files and programs that receive secrets which the platform shows only once. No secret may overwrite a
 * file of trueup, of the configuration or of these options. With the twin (a local copy of the platform), secrets go to a folder in
 * `.trueup` instead.
 */
export function openRunDeliveries(
  planned: Parameters<typeof openDeliveries>[0],
  { host, configuration, judgeCommand, say }: DeliveringRun,
  options: LedgerChoice & Pick<StackOptions, 'varFile' | 'tokenFile'>,
): Deliveries {
  const { twin, varFile = [], tokenFile } = options;
  const ledgerFile = chosenLedgerFile(options, host);
  const optionFiles = [...varFile, tokenFile, ledgerFile].filter((file) => file !== undefined);
  return openDeliveries(planned, {
    cwd: host.cwd,
    env: host.env,
    judgeCommand,
    reserved: [homeFolder, ...configuration.files, ...optionFiles],
    twinFolder: twin ? join(homeFolder, 'twin', 'secrets') : undefined,
    say,
  });
}

/**
 * Returns the facts of a run that `trueup log` and `trueup blame` show from its record, without its changes: the command, who started it,
 * and the commit of the configuration. `commandFacts`: the facts that the command knows itself, such as the approval; they replace the
 * others.
 */
export async function collectRunFacts(
  { configuration, host }: Session,
  options: Pick<WritingOptions, 'stage'>,
  commandFacts: Partial<RunFacts>,
): Promise<RunFacts> {
  const commit = 'commit' in commandFacts ? undefined : await findConfigurationCommit(configuration, host);
  return {
    command: 'apply',
    stage: options.stage,
    ...findStarter(host.env),
    commit: commit && { id: commit.id, dirty: commit.dirty ? true : undefined },
    ...commandFacts,
    // Only a variable, no option: a single run without the option would record the values.
    values: host.env.TRUEUP_HISTORY !== 'no-values',
  };
}
