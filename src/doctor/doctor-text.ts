import { formatLabelledTexts, sectionsText, widthOf } from '../manual/columns.ts';
import { groupBy } from '../model/graph.ts';
import { describeChecks } from '../permissions/check-needs.ts';
import type { Style } from '../report/style.ts';
import { count } from '../report/text.ts';
import type { DoctorReport, KindFindings } from './doctor-report.ts';
import type { FailedRequest } from './examine-account.ts';
import type { JudgedDifference, OperationFindings } from './examine-answers.ts';
import { describeFacts, type LabelledLine } from './fact-findings.ts';
import { calibrationSections } from './recording/calibration-text.ts';

/** The most lines of one section, so that the whole report fits on a screen. */
const maxLines = 8;

/**
 * Formats a report of `trueup doctor` for a screen, in sections with a label and a text per line. Long lists are
 * cut; the file of `--report` has everything.
 */
export function doctorText(report: DoctorReport, style: Style): string {
  const width = widthOf(style);
  const rows = (lines: LabelledLine[]) => formatLabelledTexts(limitLines(lines), width);
  return sectionsText(
    [
      [
        'Access',
        rows([
          ['token', describeToken(report.token)],
          ['account', describeAccount(report.account)],
        ]),
      ],
      [
        'Failed reads',
        rows(report.failures.map((failure) => [describeEndpoint(failure), adviceFor(failure)])),
      ],
      [titleOfKinds(report.kinds), rows(describeKinds(report))],
      ['Answers that are not as published', rows(report.operations.flatMap(describeDifferences))],
      ['Facts about the platform', rows(describeFacts(report.facts.findings, [unseenFacts(report.facts)]))],
      ['What the token may do', rows(describeChecks(report.needs))],
      ...calibrationSections(report.calibration, rows),
    ],
    style,
  );
}

/**
 * Returns the first lines of a section in the report of `trueup doctor`; if there are more than fit, the last line
 * says how many.
 */
const limitLines = (lines: LabelledLine[]): LabelledLine[] =>
  lines.length <= maxLines
    ? lines
    : [
        ...lines.slice(0, maxLines - 1),
        ['...', `${count(lines.length - maxLines + 1, 'more line')}: --json`],
      ];

const scopeWords = {
  user: 'for the whole user account',
  team: 'for one team',
  project: 'for one project',
  unknown: 'scope unknown',
};

/**
 * Describes the token in use for the report of `trueup doctor`: whether it is accepted, what it is limited to, when
 * it expires, and the role of its user.
 */
function describeToken({ state, scope = 'unknown', expiresInDays, role }: DoctorReport['token']): string {
  if (state === 'missing') return 'missing: set TRUEUP_TOKEN, or pass a file with --token-file';
  if (state === 'refused')
    return 'not accepted: it is invalid, expired or for another base URL; create a new one';
  if (state === 'unknown') return 'not checked';
  const end = describeExpiry(expiresInDays);
  return [state, scopeWords[scope], end, ...(role === undefined ? [] : [`role ${role}`])].join(', ');
}

/** Describes when a token expires. `days`: negative if it has expired, null if it never does. */
function describeExpiry(days: number | null | undefined): string {
  if (days === undefined) return 'end unknown';
  if (days === null) return 'never expires';
  return days < 0 ? 'expired' : `expires in ${count(days, 'day')}`;
}

const accountAdvice: Record<string, string> = {
  'auth/team':
    "the token does not reach the team of the configuration: check platform.team, that the token's user is a member, and what the token is limited to",
  'auth/scope':
    'the token may not read this account, nor a project that the configuration declares: use one of this team or of the full account; if the team requires single sign-on (SSO), log in with it and create the token then',
  'auth/token': 'the token is not accepted',
  'auth/no-token': 'not read without a token',
  'auth/token-file': 'not read without a token',
  'auth/fork': 'not read: a pull request from a fork gets no token, so run only `trueup validate` for it',
  'auth/base-url': 'the base URL cannot be used: correct --base-url or TRUEUP_BASE_URL',
};

const adviceByStatus: Record<number, string> = {
  401: 'the token is invalid or expired: create a new one',
  402: "the account's plan does not include it",
  403: 'the token may not read it: see "What the token may do"',
  404: 'it does not exist for this token: check the names in the configuration',
  410: 'the platform no longer has this operation: please report it',
  429: 'too many requests: run again later',
};
const adviceByCode: Record<string, string> = {
  'http/unreachable': 'no connection: check the network, the proxy and the base URL',
  'http/no-response': 'the connection ended or took too long: run again',
  'http/not-json': 'the answer is not JSON: check the base URL; a proxy or a login page may answer',
  'http/redirect': 'redirects are not followed: correct the base URL',
  'http/rate-limited': 'the limit asks for a longer wait than --max-wait: run again later',
  'http/incomplete-list': 'the list may be incomplete, so plans create and delete nothing in it',
};

/**
 * Describes the account behind the token for the report of `trueup doctor`, or why it could not be read, with the
 * command that explains the problem. `PF80` is the number of a fact about the platform in docs/status.md.
 */
function describeAccount({ state, type, problem, lacksPersonalAccount }: DoctorReport['account']): string {
  const accountWords =
    type === 'team' ? 'the team that the configuration names' : 'the personal account of the user';
  const notes = lacksPersonalAccount
    ? ['its user has no personal account to use (PF80): name a team in `platform`']
    : [];
  if (state === 'read') return [accountWords, ...notes].join('; ');
  const code = problem ?? 'auth/answer';
  return `${accountAdvice[code] ?? adviceByCode[code] ?? 'could not be read'} (trueup explain ${code})`;
}

const describeEndpoint = ({ endpoint, status, code }: FailedRequest) =>
  `${endpoint}: ${code ?? status ?? 'strange answer'}`;

/** Returns what to do about a failed read. */
const adviceFor = ({ status, code }: FailedRequest): string =>
  adviceByCode[code ?? ''] ??
  adviceByStatus[status ?? 0] ??
  ((status ?? 0) >= 500 ? 'the platform has a problem: run again later' : 'please report it with --report');

const kindWords = {
  fits: 'as expected',
  differs: 'answers differ',
  unreadable: 'could not be read',
  unread: 'no objects read',
};

/** Returns the heading of the kinds, with counts. */
function titleOfKinds(kinds: readonly KindFindings[]): string {
  const fitting = kinds.filter(({ result }) => result === 'fits').length;
  return `Kinds in use: ${kinds.length}, of these ${fitting} as expected`;
}

/**
 * Returns the lines about kinds (object types) in the report of `trueup doctor`: one for each kind that needs
 * attention, one for all kinds whose answers fit the published form, and one for those that were not read.
 */
function describeKinds({ kinds }: DoctorReport): LabelledLine[] {
  const results = groupBy(kinds, ({ result }) => result);
  const joinNames = (kindsOfResult: readonly KindFindings[] = []) =>
    kindsOfResult.map(({ kind }) => kind).join(', ');
  const shortLines = (['fits', 'unread'] as const).map(
    (result): LabelledLine => [kindWords[result], joinNames(results.get(result))],
  );
  const longLines = [...(results.get('unreadable') ?? []), ...(results.get('differs') ?? [])];
  return [
    ...longLines.map(
      ({ kind, result, operations }): LabelledLine => [kind, [kindWords[result], ...operations].join('; ')],
    ),
    ...shortLines.filter(([, names]) => names !== ''),
  ];
}

/**
 * Returns the line about one API operation in the report of `trueup doctor`: each difference from the published
 * form in a member that a kind reads, and the number of the others: these cannot lead to wrong plans. None
 * if the answers are as published.
 */
function describeDifferences({ operation, differences, pages }: OperationFindings): LabelledLine[] {
  const isSerious = ({ problem, isRead }: JudgedDifference) => isRead && problem !== 'unknown';
  const harmless = differences.filter((difference) => !isSerious(difference));
  const shown = [
    ...(pages === 'ignored' ? ['names a further page, but has no known pages'] : []),
    ...differences.filter(isSerious).map(describeDifference),
    ...(harmless.length > 0 ? [describeUnread(harmless)] : []),
  ];
  return shown.length > 0 ? [[operation, shown.join('; ')]] : [];
}

/**
 * Describes, for the report of `trueup doctor`, how answers differ from their published form in members that no kind reads: the number of
 * differences, and the first three.
 */
function describeUnread(differences: readonly JudgedDifference[]): string {
  const examples = differences.slice(0, 3).map(describeDifference).join(', ');
  const end = differences.length > 3 ? ', ...' : '';
  return `${count(differences.length, 'member')} that no kind reads: ${examples}${end}`;
}

/** Describes one difference: the path, and the defect of its member. */
const describeDifference = ({ path, problem, got, expected }: JudgedDifference): string =>
  problem === 'type' ? `${path || 'answer'}: ${got}, expected ${expected}` : `${path} (${problem})`;

const unseenFacts = ({ readable, findings }: DoctorReport['facts']): string =>
  `${readable - findings.length} not seen in these answers`;
