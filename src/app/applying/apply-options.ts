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

/** The options that carrying out a plan takes, the same whoever watches it. */
export function createApplyOptions(
  session: Session,
  planned: Planned,
  options: WritingOptions,
  about: Partial<RunFacts> = {},
): Pick<ApplyOptions, 'parallelism' | 'settle' | 'deliveries' | 'prepare' | 'record'> {
  session.masking.setVisibleText(() => searchableText(planned.plan));
  return {
    parallelism: options.parallelism,
    settle: options.settle * 1000,
    deliveries: deliveriesOf(session, planned, options),
    prepare: async () => {
      const { host } = session;
      // The ledger is kept there, unless it has another place.
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
          ...about,
          ...(digest === undefined ? {} : { approval: 'saved plan' }),
        }),
        now: host.clock.now,
      });
    },
  };
}

function deliveriesOf(
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

/** All names and texts that a plan shows. */
function searchableText(plan: Plan): string {
  const texts: string[] = [];
  JSON.stringify(planJson(plan), (name, value) => {
    texts.push(name);
    if (typeof value === 'string') texts.push(value);
    return value;
  });
  return texts.join('\n');
}
