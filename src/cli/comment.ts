import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { createReportPlaces, currentPullRequest } from '../app/ci-job.ts';
import { type Host, pathOn } from '../app/host.ts';
import { savedPlanReports } from '../app/planning/plan-files.ts';
import { isSavedPlans, parseSavedPlans } from '../approval/saved-plans.ts';
import {
  mergedPulls,
  replaceReports,
  reportFoot,
  type Target,
  upsertComment,
} from '../github/upsert-comment.ts';
import { type GitlabTarget, mergedRequests, sayNote } from '../gitlab/say-note.ts';
import type { Provider } from '../kind/provider.ts';
import type { Pace } from '../model/budget.ts';
import { type Diagnostic, Problems, problem } from '../model/diagnostic.ts';
import { describeSystemError } from '../model/system-error.ts';
import { cleanLine } from '../report/clean.ts';
import { isNameless } from '../report/markdown/failure-markdown.ts';
import { commentLimit, markerIn, type Places } from '../report/markdown/forms.ts';
import { planMarkdown } from '../report/markdown/plan-markdown.ts';
import { stacksMarkdown } from '../report/markdown/stacks-markdown.ts';
import type { CommandRun } from './command-run.ts';
import { number, withColor } from './options.ts';
import { type Terminal, terminalFor } from './terminal.ts';

interface CommentOptions {
  pullRequest?: number;
  author?: string;
  color?: boolean;
}

export function commentCommand(command: Command, { pace }: Provider, run: CommandRun): void {
  withColor(command)
    .argument(
      '<file>',
      'the output of `plan --format markdown` or `apply --report`, or a plan saved by `plan --out`',
    )
    .addOption(
      new Option(
        '--pull-request <n>',
        'the number of the pull request (default: the one that the workflow runs for, or that its commit merged)',
      ).argParser(number(1)),
    )
    .option('--author <login>', "update this author's comment (default: the owner of GITHUB_TOKEN)")
    .action(async (file: string, options: CommentOptions) => {
      const terminal = terminalFor(run, options);
      const { host } = run;
      const pull = currentPullRequest(host);
      const foot = reportFoot(host.env, pull && (pull.head ?? host.env.GITHUB_SHA));
      const body = await readReport(file, host, pace, commentLimit - foot.length - commentSeparator);
      if (inGitlab(host)) {
        await commentOnGitlab(body, { iid: options.pullRequest, foot }, terminal);
        return;
      }
      const given = options.pullRequest ?? pull?.number;
      const merged = given === undefined ? mergedCommit(host) : undefined;
      const access = accessOf(host, given === undefined && merged === undefined ? [noPullRequest()] : []);
      const said = {
        ...access,
        body: body.text,
        // A report that fills all the room is worth more than where it comes from.
        ...(body.text.length + commentSeparator + foot.length > commentLimit ? {} : { foot }),
        author: options.author,
      };
      const numbers = given === undefined ? await mergedPulls(access, merged!) : [given];
      if (numbers.length === 0)
        terminal.say('No pull request was merged as this commit, so there is nothing to comment on.');
      for (const number of numbers) await sayOn(number, file, { ...said, marker: body.marker }, terminal);
    });
}

/** The commit that this run is about, if somebody pushed or merged it; undefined for any other run. */
function mergedCommit({ env }: Host): string | undefined {
  const { GITHUB_SHA: sha = '', GITHUB_EVENT_NAME: event } = env;
  return event === 'push' && /^[0-9a-f]{40,64}$/.test(sha) ? sha : undefined;
}

const noPullRequest = () =>
  problem('comment/no-pull-request', 'this run does not belong to a pull request', {
    hint: 'name one with --pull-request N',
  });

interface CommentContent extends CommentTargetAccess {
  marker: string | undefined;
  body: string;
  foot?: string;
  author?: string;
}

/** Writes a report on one pull request, over the one that is there. */
async function sayOn(
  number: number,
  file: string,
  { marker, ...said }: CommentContent,
  terminal: Terminal,
): Promise<void> {
  if (marker === undefined) {
    const replaced = await replaceReports({ ...said, number }, (line) => markerIn(line) !== undefined);
    if (replaced.length === 0) throw noStack(file);
    for (const url of replaced) terminal.say(cleanLine(`Updated the comment: ${url}`));
    return;
  }
  const { done, url } = await upsertComment({ ...said, marker, number });
  terminal.say(cleanLine(`${commentOutcomes[done]}: ${url}`));
}

const commentOutcomes = {
  created: 'Commented',
  updated: 'Updated the comment',
  unchanged: 'The comment is already up to date',
};

/** An empty line in front of the last one. */
const commentSeparator = 2;

/** For a comment's marker, where a report does not bring one. */
const footRoom = 100;

/**
 * The report in a file, with the marker of its stack, unless it says what went wrong before that was known; one that is made here has no
 * more than `room` bytes.
 */
async function readReport(
  file: string,
  host: Host,
  pace: Pace,
  room: number,
): Promise<{ marker?: string; text: string }> {
  const given = await readFile(pathOn(host, file), 'utf8').catch((error: Error) => {
    throw new Problems('file/unreadable', `${file} cannot be read: ${describeSystemError(error)}`);
  });
  const text = reportIn(given, file, { pace, room, places: createReportPlaces(host) }).trimEnd();
  const marker = markerIn(text);
  if (marker === undefined && isNameless(text)) return { text: text.slice(0, commentLimit - footRoom) };
  if (marker === undefined)
    throw new Problems(
      'comment/no-report',
      `${file} is not a plan report${text === '' ? ': it is empty' : ''}`,
      {
        hint:
          text === ''
            ? 'the plan did not get that far; see its step for the reason'
            : 'pass the output of `plan --format markdown`, or a plan saved by `plan --out`',
      },
    );
  if (text.length > commentLimit)
    throw new Problems(
      'comment/too-long',
      `${file} has ${text.length} characters; GitHub accepts ${commentLimit}`,
      {
        hint: 'pass the output of `plan --format markdown` unchanged: it always fits',
      },
    );
  return { marker, text };
}

function reportIn(
  given: string,
  file: string,
  { pace, room, places }: { pace: Pace; room: number; places: Places },
): string {
  if (!isSavedPlans(given)) return given;
  const saved = parseSavedPlans(given, file);
  const reports = savedPlanReports(saved);
  return saved.isOne
    ? planMarkdown(reports[0]!.plan!, pace, room, places)
    : stacksMarkdown(reports, pace, room, places);
}

const noStack = (file: string) =>
  new Problems('comment/no-stack', `${file} contains errors but does not name its stack`, {
    hint: "fix those errors first: once `stack:` can be read, that stack's comment shows the rest",
  });

type CommentTargetAccess = Pick<Target, 'apiUrl' | 'token' | 'env' | 'owner' | 'repo'>;

/** The access to the repository. A workflow's environment has all of it but the token. Throws `Problems`, with what is wrong beside that. */
function accessOf(host: Host, wrong: Diagnostic[]): CommentTargetAccess {
  const { GITHUB_API_URL, GITHUB_REPOSITORY = '', GITHUB_TOKEN } = host.env;
  const [, owner, repo] = /^([\w.-]+)\/([\w.-]+)$/.exec(GITHUB_REPOSITORY) ?? [];
  const problems = [
    ...(GITHUB_TOKEN
      ? []
      : [
          problem('comment/no-token', 'GITHUB_TOKEN is not set', {
            hint: 'pass it to the step: `env: { GITHUB_TOKEN: ${{ github.token }} }`',
          }),
        ]),
    ...(owner && repo
      ? []
      : [
          problem('comment/no-repository', 'GITHUB_REPOSITORY does not name a repository', {
            hint: 'workflows set it; elsewhere set it to OWNER/NAME',
          }),
        ]),
    ...wrong,
  ];
  if (problems.length > 0) throw new Problems(problems);
  return {
    env: host.env,
    apiUrl: GITHUB_API_URL || 'https://api.github.com',
    token: GITHUB_TOKEN!.trim(),
    owner: owner!,
    repo: repo!,
  };
}

/** True in a job of GitLab. */
const inGitlab = ({ env }: Pick<Host, 'env'>): boolean => env.GITLAB_CI === 'true';

/** Writes a report on the merge request of this job, or on those that were merged as its commit. Gives back on how many. */
async function commentOnGitlab(
  report: { marker?: string; text: string },
  { iid, foot }: { iid: number | undefined; foot: string },
  terminal: Terminal,
): Promise<number> {
  const { env } = terminal.run.host;
  const target = gitlabTargetOf(env);
  const own = iid ?? numberIn(env.CI_MERGE_REQUEST_IID);
  const numbers = own === undefined ? await mergedRequests(target, env.CI_COMMIT_SHA ?? '') : [own];
  if (numbers.length === 0)
    terminal.say('No merge request was merged as this commit, so there is nothing to comment on.');
  const body = foot === '' ? report.text : `${report.text}\n\n${foot}`;
  for (const number of numbers) {
    const notes = await sayNote(target, {
      iid: number,
      marker: report.marker,
      body,
      isMarker: (line) => markerIn(line) !== undefined,
    });
    terminal.say(notes > 0 ? `Commented on !${number}` : `Nothing to update on !${number}`);
  }
  return numbers.length;
}

const numberIn = (text: string | undefined): number | undefined =>
  /^[1-9]\d*$/.test(text ?? '') ? Number(text) : undefined;

function gitlabTargetOf(env: Host['env']): GitlabTarget {
  const { CI_API_V4_URL: apiUrl = '', CI_PROJECT_ID: project = '', TRUEUP_COMMENT_TOKEN: token = '' } = env;
  const problems = [
    ...(token === ''
      ? [
          problem('comment/no-token', 'TRUEUP_COMMENT_TOKEN is not set', {
            hint: 'set it as a project variable: a project access token with the scope `api` and the role Reporter; the job token cannot write comments',
          }),
        ]
      : []),
    ...(/^\d+$/.test(project) && apiUrl !== ''
      ? []
      : [
          problem('comment/no-repository', 'CI_API_V4_URL and CI_PROJECT_ID do not name a project', {
            hint: 'CI jobs set them',
          }),
        ]),
  ];
  if (problems.length > 0) throw new Problems(problems);
  return { apiUrl, project, token: token.trim(), env };
}
