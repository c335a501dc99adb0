import { readFile } from 'node:fs/promises';
import { isSavedPlans, parseSavedPlans, savedPlanReports } from '../approval/parse-saved-plan.ts';
import {
  mergedPulls,
  replaceReports,
  reportFoot,
  type Target,
  upsertComment,
} from '../github/upsert-comment.ts';
import { type GitlabTarget, mergedRequests, sayNote } from '../gitlab/say-note.ts';
import { type Host, resolvePath } from '../host.ts';
import type { Pace } from '../model/budget.ts';
import { describeSystemError } from '../model/describe-errors.ts';
import { type Diagnostic, problem, raise, raiseErrors } from '../model/diagnostic.ts';
import { commentLimit, markerIn, type Places } from '../report/markdown/forms.ts';
import { planMarkdown } from '../report/markdown/plan-markdown.ts';
import { isNameless, stacksMarkdown } from '../report/markdown/stacks-markdown.ts';
import { cleanLine } from '../report/text.ts';
import { createReportPlaces, currentPullRequest } from './ci-job.ts';

/** The run of `trueup comment`. `say`: shows a message. */
interface CommentPort {
  run: { host: Host };
  say(text: string): void;
}

/** The options of `trueup comment`. */
export interface CommentReportOptions {
  /** The number of the pull request or merge request; by default that of the CI job, or the one that its commit merged. */
  pullRequest?: number;
  /** The login of the user whose comment is updated; by default the owner of the token. */
  author?: string;
}

/** The report of a comment. `foot`: its last line, with the commit and the run; empty if the CI system does not tell them. */
interface FootedReport extends PullRequestReport {
  foot: string;
}

/** The characters between a report and its last line: an empty line. */
const separatorLength = 2;

/**
 * Writes the report in a file on the pull request of this CI job (or of `--pull-request`, or those that the job's commit merged), over an
 * earlier report of the same stack: the work of `trueup comment`. A saved plan is formatted within the limit of a comment; a longer
 * finished report is refused. Throws `Problems`. `pace`: the rate limits, for the forecast in a report that is made from a saved plan.
 */
export async function commentReport(
  file: string,
  options: CommentReportOptions,
  pace: Pace,
  port: CommentPort,
): Promise<void> {
  const { host } = port.run;
  const pull = currentPullRequest(host);
  const foot = reportFoot(host.env, pull && (pull.head ?? host.env.GITHUB_SHA));
  const report = await readReport(file, host, pace, commentLimit - foot.length - separatorLength);
  if (host.env.GITLAB_CI === 'true') return commentOnGitlab({ ...report, foot }, options.pullRequest, port);
  const number = options.pullRequest ?? pull?.number;
  // If the report leaves no room for the last line, the line is dropped.
  const hasRoom = report.text.length + separatorLength + foot.length <= commentLimit;
  await commentOnGithub(file, { ...report, foot: hasRoom ? foot : '' }, number, options.author, port);
}

/**
 * Writes a report on a pull request of GitHub, for `trueup comment`. Without a number, uses the pull requests that
 * the commit of the CI job merged, as after an apply on the main branch. Throws `Problems` if the commit is not known either.
 */
async function commentOnGithub(
  file: string,
  report: FootedReport,
  number: number | undefined,
  author: string | undefined,
  port: CommentPort,
): Promise<void> {
  const { host } = port.run;
  const commit = number === undefined ? mergedCommitOf(host) : undefined;
  // Reported together with the variables that are missing.
  const pullProblems = number === undefined && commit === undefined ? [noPullRequest()] : [];
  const access = githubAccess(host, pullProblems);
  const numbers = number === undefined ? await mergedPulls(access, commit!) : [number];
  if (numbers.length === 0)
    port.say('No pull request was merged as this commit, so there is nothing to comment on.');
  for (const pullNumber of numbers)
    await writeComment(file, report, { ...access, number: pullNumber, author }, port);
}

/** The outcome of writing a comment, for the user. */
const commentOutcomes = {
  created: 'Commented',
  updated: 'Updated the comment',
  unchanged: 'The comment is already up to date',
};

/**
 * Writes a report on one pull request of GitHub. A report with a marker (the line that names the stack) replaces the earlier report of that
 * stack. One without a marker, from a run that failed early, replaces all reports of earlier commits, because it may concern any of them.
 * Throws `Problems` if there is no such report to replace.
 */
async function writeComment(
  file: string,
  { marker, text, foot }: FootedReport,
  target: GithubAccess & { number: number; author: string | undefined },
  port: CommentPort,
): Promise<void> {
  const content = { ...target, body: text, foot };
  if (marker !== undefined) {
    const { done, url } = await upsertComment({ ...content, marker });
    return port.say(cleanLine(`${commentOutcomes[done]}: ${url}`));
  }
  const urls = await replaceReports(content, (line) => markerIn(line) !== undefined);
  if (urls.length === 0)
    raise('comment/no-stack', `${file} contains errors but does not name its stack`, {
      hint: "fix those errors first: once `stack:` can be read, that stack's comment shows the rest",
    });
  for (const url of urls) port.say(cleanLine(`Updated the comment: ${url}`));
}

/** Returns the commit of a CI job that runs because of a push or a merge; undefined for any other job. */
function mergedCommitOf({ env }: Host): string | undefined {
  const { GITHUB_SHA: sha = '', GITHUB_EVENT_NAME: event } = env;
  return event === 'push' && /^[0-9a-f]{40,64}$/.test(sha) ? sha : undefined;
}

const noPullRequest = () =>
  problem('comment/no-pull-request', 'this run does not belong to a pull request', {
    hint: 'name one with --pull-request N',
  });

/** A repository on a GitHub server with a token for it. */
type GithubAccess = Pick<Target, 'apiUrl' | 'token' | 'env' | 'owner' | 'repo'>;

/**
 * Returns the repository of this CI job and the token for it, from the variables of GitHub Actions. `trueup
 * comment` needs them to write on a pull request. Throws `Problems` with everything that is missing and with
 * `otherProblems`, so that the user can fix all at once.
 */
function githubAccess({ env }: Host, otherProblems: Diagnostic[]): GithubAccess {
  const { GITHUB_API_URL, GITHUB_REPOSITORY = '', GITHUB_TOKEN } = env;
  const [, owner, repo] = /^([\w.-]+)\/([\w.-]+)$/.exec(GITHUB_REPOSITORY) ?? [];
  const noToken = problem('comment/no-token', 'GITHUB_TOKEN is not set', {
    hint: 'pass it to the step: `env: { GITHUB_TOKEN: ${{ github.token }} }`',
  });
  const noRepository = problem('comment/no-repository', 'GITHUB_REPOSITORY does not name a repository', {
    hint: 'workflows set it; elsewhere set it to OWNER/NAME',
  });
  const problems = [
    ...(GITHUB_TOKEN ? [] : [noToken]),
    ...(owner && repo ? [] : [noRepository]),
    ...otherProblems,
  ];
  raiseErrors(problems);
  return {
    env,
    apiUrl: GITHUB_API_URL || 'https://api.github.com',
    token: GITHUB_TOKEN!.trim(),
    owner: owner!,
    repo: repo!,
  };
}

/**
 * Writes a report on a merge request of GitLab, for `trueup comment`. `chosenNumber`: by default that of the CI job
 * or, as after an apply on the main branch, those that its commit merged.
 */
async function commentOnGitlab(
  { marker, text, foot }: FootedReport,
  chosenNumber: number | undefined,
  port: CommentPort,
): Promise<void> {
  const { env } = port.run.host;
  const target = gitlabTarget(env);
  const jobNumber = env.CI_MERGE_REQUEST_IID ?? '';
  const numberOfJob = /^[1-9]\d*$/.test(jobNumber) ? Number(jobNumber) : undefined;
  const number = chosenNumber ?? numberOfJob;
  const numbers = number === undefined ? await mergedRequests(target, env.CI_COMMIT_SHA ?? '') : [number];
  if (numbers.length === 0)
    port.say('No merge request was merged as this commit, so there is nothing to comment on.');
  const body = foot === '' ? text : `${text}\n\n${foot}`;
  const isMarker = (line: string) => markerIn(line) !== undefined;
  for (const iid of numbers) {
    const noteCount = await sayNote(target, { iid, marker, body, isMarker });
    port.say(noteCount > 0 ? `Commented on !${iid}` : `Nothing to update on !${iid}`);
  }
}

/**
 * Returns the GitLab project of this CI job and the token for it, from the environment. `trueup comment` needs them
 * to write on a merge request. Throws `Problems` with everything that is missing.
 */
function gitlabTarget(env: Host['env']): GitlabTarget {
  const { CI_API_V4_URL: apiUrl = '', CI_PROJECT_ID: project = '', TRUEUP_COMMENT_TOKEN: token = '' } = env;
  const noToken = problem('comment/no-token', 'TRUEUP_COMMENT_TOKEN is not set', {
    hint: 'set it as a project variable: a project access token with the scope `api` and the role Reporter; the job token cannot write comments',
  });
  const noProject = problem(
    'comment/no-repository',
    'CI_API_V4_URL and CI_PROJECT_ID do not name a project',
    { hint: 'CI jobs set them' },
  );
  const problems = [
    ...(token === '' ? [noToken] : []),
    ...(/^\d+$/.test(project) && apiUrl !== '' ? [] : [noProject]),
  ];
  raiseErrors(problems);
  return { apiUrl, project, token: token.trim(), env };
}

/** A report for a pull request. */
interface PullRequestReport {
  /** The first line of the comment. It names the stack, so that the next report of the stack replaces this one. */
  marker?: string;
  text: string;
}

/** The characters that a failure report without a marker leaves free: the marker of the replaced comment goes there. */
const markerRoom = 100;

/**
 * Reads the report that `trueup comment` writes on a pull request: Markdown that `plan` or `apply` wrote, or a
 * saved plan, which it formats in at most `room` characters. `marker` is the line that names the stack; it is
 * missing if the run failed before it knew its stack. Throws `Problems` for any other file.
 */
async function readReport(file: string, host: Host, pace: Pace, room: number): Promise<PullRequestReport> {
  const content = await readFile(resolvePath(host, file), 'utf8').catch((error: Error) => {
    raise('file/unreadable', `${file} cannot be read: ${describeSystemError(error)}`);
  });
  const markdown = isSavedPlans(content)
    ? formatSavedPlans(content, file, { pace, room, places: createReportPlaces(host) })
    : content;
  const text = markdown.trimEnd();
  const marker = markerIn(text);
  // A failure report leaves room for the marker of each comment that it replaces.
  if (marker === undefined && isNameless(text)) return { text: text.slice(0, commentLimit - markerRoom) };
  if (marker === undefined) raise(noReportProblem(file, text === ''));
  if (text.length > commentLimit)
    raise('comment/too-long', `${file} has ${text.length} characters; GitHub accepts ${commentLimit}`, {
      hint: 'pass the output of `plan --format markdown` unchanged: it always fits',
    });
  return { marker, text };
}

/**
 * Returns the problem with a file that `trueup comment` cannot use, because it is neither a report nor a saved
 * plan. An empty file usually comes from a plan that failed in an earlier step.
 */
const noReportProblem = (file: string, isEmpty: boolean): Diagnostic =>
  problem('comment/no-report', `${file} is not a plan report${isEmpty ? ': it is empty' : ''}`, {
    hint: isEmpty
      ? 'the plan did not get that far; see its step for the reason'
      : 'pass the output of `plan --format markdown`, or a plan saved by `plan --out`',
  });

/**
 * Formats the plans in a file of `plan --out` as Markdown, so that `trueup comment` accepts such a file as well as
 * a finished report. `room`: the most characters of the result. `pace`: the rate limits, for the forecast.
 * `places`: how the report names lines of files.
 */
function formatSavedPlans(
  content: string,
  file: string,
  { pace, room, places }: { pace: Pace; room: number; places: Places },
): string {
  const saved = parseSavedPlans(content, file);
  const reports = savedPlanReports(saved);
  return saved.isOne
    ? planMarkdown(reports[0]!.plan!, pace, room, places)
    : stacksMarkdown(reports, pace, room, places);
}
