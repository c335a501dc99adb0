import { join } from 'node:path';
import { openRecording, type RunFacts } from '../../history/open-recording.ts';
import type { Plan } from '../../model/plan.ts';
import { planJson } from '../../report/plan-json.ts';
import type { ApplyOptions } from '../../run/apply.ts';
import { type Deliveries, openDeliveries } from '../../run/deliveries.ts';
import type { Planned } from '../../run/open-plan.ts';
import type { WritingOptions } from '../planning/plan-options.ts';
import { createHomeFolder, homeFolder } from '../session/home-folder.ts';
import { usesHome } from '../session/ledger-choice.ts';
import { collectRunFacts } from '../session/run-facts.ts';
import { requireKey, type Session } from '../session/session.ts';

/**
 * Returns the options of `apply` that do not depend on who runs it: the command line and the library use the same ones. `prepare` creates the folder
 * and the key that the first write needs, and `record` starts the history record of the run. `commandFacts`: see `collectRunFacts`.
 */
export function createApplyOptions(
  session: Session,
  planned: Planned,
  options: WritingOptions,
  commandFacts: Partial<RunFacts> = {},
): Pick<ApplyOptions, 'parallelism' | 'settle' | 'deliveries' | 'prepare' | 'record'> {
  session.masking.setVisibleText(() => searchableText(planned.plan));
  return {
    parallelism: options.parallelism,
    settle: options.settle * 1000,
    deliveries: openPlanDeliveries(session, planned, options),
    prepare: async () => {
      const { host } = session;
      if (usesHome(options, host)) await createHomeFolder(host);
      await requireKey(session, options);
    },
    record: async () => {
      const { documents, ledger, host } = session;
      const { plan, digest } = planned;
      return openRecording({
        documents,
        ledger,
        key: await requireKey(session, options),
        plan,
        digest,
        about: await collectRunFacts(session, options, {
          ...commandFacts,
          ...(digest === undefined ? {} : { approval: 'saved plan' }),
        }),
        now: host.clock.now,
      });
    },
  };
}

/**
 * Opens the deliveries of a plan: the files and programs that receive secrets which the platform shows only once. `reserved`: the files of
 * trueup and of the configuration, which a secret must not overwrite.
 */
function openPlanDeliveries(
  session: Session,
  planned: Planned,
  { twin, varFile = [], tokenFile, ledger }: WritingOptions,
): Deliveries {
  const { host, sources, configuration } = session;
  return openDeliveries(planned, {
    cwd: host.cwd,
    env: host.env,
    judgeCommand: sources.judgeCommand,
    reserved: [
      homeFolder,
      ...configuration.files,
      ...varFile,
      ...[tokenFile, ledger].filter((file) => file !== undefined),
    ],
    twinFolder: twin ? join(homeFolder, 'twin', 'secrets') : undefined,
    say: (text) => session.say(text),
  });
}

/** Returns all names and texts that a plan shows, so that masking does not hide words that are no secrets. */
function searchableText(plan: Plan): string {
  const texts: string[] = [];
  JSON.stringify(planJson(plan), (name, value) => {
    texts.push(name);
    if (typeof value === 'string') texts.push(value);
    return value;
  });
  return texts.join('\n');
}
