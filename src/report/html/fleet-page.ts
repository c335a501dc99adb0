import {
  batchTitle,
  byDanger,
  countsText,
  deletionsOf,
  type FleetBatch,
  type FleetJob,
  type FleetReport,
  jobsText,
  stateWords,
  sumChanges,
} from '../fleet/fleet-report.ts';
import { cleanLine, count } from '../text.ts';
import { html, type Markup } from './markup.ts';
import { htmlPage } from './page.ts';
import type { OutlineItem } from './toolbar.ts';

/** The style classes of jobs that need attention, by their state. */
const classes: Partial<Record<FleetJob['state'], string>> = {
  failed: 'destructive',
  refused: 'destructive',
  lost: 'destructive',
};

/**
 * Formats a fleet for `trueup fleet status --html` as one HTML page without other files: its jobs by batch, and its workers. `time` is in
 * milliseconds since 1970.
 */
export function fleetHtml({ batches, workers, schedules }: FleetReport, time: number): string {
  const alive = workers.filter(({ isAlive }) => isAlive).length;
  const number = batches.length === 1 ? '1 batch' : `${batches.length} batches`;
  const sum = `${number}, ${count(alive, 'worker')}.`;
  const sections = batches.map((batch, index) => batchSectionOf(batch, `batch${index}`));
  return htmlPage({
    tool: 'trueup fleet',
    title: `Fleet: ${sum}`,
    header: html`
<h1>Fleet</h1>
<p class="headline">${sum}</p>
<p class="remark">${new Date(time).toISOString()}</p>${schedules.map(
      (schedule) => html`
<p class="remark">Drift of ${cleanLine(schedule.repository)}, ${cleanLine(schedule.stacks)}: at ${cleanLine(schedule.time)} (${cleanLine(schedule.zone)})</p>`,
    )}`,
    places: sections.map(({ place }) => place),
    main: [
      sections.map(({ markup }) => markup),
      workers.length > 0 &&
        html`
<section aria-labelledby="workers">
<h2 id="workers">Workers <span class="count">${workers.length}</span></h2>
<ul>${workers.map(
          ({ name, isAlive, running }) => html`
<li><code>${cleanLine(name)}</code>: ${isAlive ? `${running} running` : 'not heard of'}</li>`,
        )}
</ul></section>`,
    ],
    isLong: batches.length > 1,
  });
}

/**
 * Formats the section of the fleet's page for a batch (jobs that were enqueued together), and its item for the outline. The jobs stand in
 * the order of `byDanger`: failed ones first, and of the finished ones those that delete something.
 */
function batchSectionOf(batch: FleetBatch, id: string): { markup: Markup; place: OutlineItem } {
  const jobs = [...batch.jobs].sort(byDanger);
  const sum = sumChanges(jobs);
  const label = `${batchTitle(batch)}`;
  const classOf = ({ state, changes, isDrift }: FleetJob) => {
    if (classes[state] !== undefined) return classes[state];
    if (deletionsOf({ changes }) > 0) return 'destructive';
    return isDrift ? 'disruptive' : 'safe';
  };
  const factsOf = ({ id: jobId, worker, seconds, retries }: FleetJob) => [
    jobId.slice(0, 8),
    ...(worker === undefined ? [] : [cleanLine(worker)]),
    ...(seconds === undefined ? [] : [`${seconds} s`]),
    ...(retries > 0 ? [`started ${retries + 1} times`] : []),
  ];
  const markup = html`
<section aria-labelledby="${id}">
<h2 id="${id}">${cleanLine(label)}</h2>
<p class="means">${jobsText(jobs)}. <code>${batch.id}</code></p>${
    sum &&
    html`
<p class="means">In all: ${cleanLine(countsText(sum))}</p>`
  }${
    batch.digest !== undefined &&
    html`
<p class="means">Digest of these plans: <code>${batch.digest}</code></p>`
  }
<ul>${jobs.map(
    (job) => html`
<li class="${classOf(job)}"><b>${stateWords[job.state]}</b> <code>${cleanLine(job.name)}</code>${
      job.isDrift && ', changed outside'
    }${job.result !== undefined && `: ${cleanLine(job.result)}`} <span class="means">${factsOf(job).join(', ')}</span></li>`,
  )}
</ul></section>`;
  return { markup, place: { id, label: cleanLine(label), children: [] } };
}
