import { randomUUID } from 'node:crypto';
import { repositoryName } from '../app/fleet/choose-jobs.ts';
import { type QueueOptions, withQueueOf } from '../app/fleet/fleet-queue.ts';
import { keyOf } from '../app/session/ledger-place.ts';
import { type Job, signedJob } from '../fleet/job.ts';
import { Problems } from '../model/diagnostic.ts';
import { cleanLine } from '../report/clean.ts';
import type { CommandRun } from './command-run.ts';
import { terminalFor } from './terminal.ts';

interface FleetScheduleOptions extends QueueOptions {
  time?: string;
  what?: string;
  glob?: string;
  all?: boolean;
  repository?: string;
  zone: string;
  remove?: boolean;
}

/** Has the queue enqueue a round by its own clock; one for each repository. */
export async function scheduleRound(options: FleetScheduleOptions, run: CommandRun): Promise<void> {
  const terminal = terminalFor(run, options);
  const { host } = run;
  const { time, zone, glob } = options;
  refuseUnclearSchedule(options);
  const repository = await repositoryName(options.repository, host);
  const key = await keyOf({}, host);
  const lane = key ? 'signed' : 'open';
  // A name of the queue's: letters, digits, dots, dashes and slashes.
  await withQueueOf(options, terminal, async (queue) => {
    if (options.remove) {
      await queue.unschedule(lane, repository);
      terminal.say(cleanLine(`Nothing is scheduled for ${repository} now.`));
      return;
    }
    const stacks = glob ?? '**';
    const job: Job = {
      ...{ format: 1, action: 'round', id: randomUUID(), batch: randomUUID(), folder: '' },
      ...{ repository, stacks },
    };
    await queue.schedule(lane, repository, { time: time!, zone }, signedJob(job, key));
    terminal.say(
      cleanLine(`Workers will check for drift in ${stacks} of ${repository} at ${time} (${zone}).`),
    );
  });
}

function refuseUnclearSchedule({ time, what, glob, all, remove }: FleetScheduleOptions): void {
  const wrong = (message: string) =>
    new Problems('fleet/schedule', message, {
      hint: 'for example `trueup fleet schedule "0 3 * * *" drift --all`',
    });
  if (remove && time === undefined) return;
  if (remove) throw wrong('--remove takes no time');
  if (time === undefined || what === undefined) throw wrong('a time and what to schedule are required');
  if (what !== 'drift') throw wrong(`only \`drift\` can be scheduled, not ${JSON.stringify(what)}`);
  if (!/^\S+(?: \S+){4}$/.test(time.trim())) throw wrong(`${JSON.stringify(time)} is not a cron expression`);
  if ((glob === undefined) === !all) throw wrong('pass either --all or a glob');
}
