/*
 * The report of `trueup doctor`: what the answers of a real account have shown, in a form that can be given to others. It has paths, types,
 * codes and counts, and no value, name or id of the account.
 */

import type { Evidence, TokenFacts } from '../kind/evidence.ts';
import type { Kind } from '../kind/kind.ts';
import { type CommandCheck, isSufficient } from '../permissions/check-needs.ts';
import type { ExaminedAccount, FailedRequest } from './examine-account.ts';
import type { AnswerExaminer, OperationFindings } from './examine-answers.ts';
import { type FactFinding, toFactFindings } from './fact-findings.ts';
import type { Calibration } from './recording/calibration-findings.ts';

/**
 * What the answers about one kind have shown. `unread`: no object of it was read, for example because none exists yet.
 */
export interface KindFindings {
  kind: string;
  result: 'fits' | 'differs' | 'unreadable' | 'unread';
  /** The reads of the kind that were answered. */
  operations: string[];
  /** The number of collections that could not be read. */
  unreadable: number;
}

/** The report of `trueup doctor`, also as the file of `--report`. */
export interface DoctorReport {
  formatVersion: '1.0';
  /** The version of trueup that made it. */
  version: string;
  token: {
    state: 'accepted' | 'refused' | 'missing' | 'unknown';
    scope: TokenFacts['scope'] | 'unknown';
    /** Full days until it expires; null if it never does, absent if that is unknown. */
    expiresInDays?: number | null;
    role?: string;
  };
  account: {
    state: 'read' | 'unread';
    type?: 'team' | 'personal';
    problem?: string;
    lacksPersonalAccount?: boolean;
  };
  /** Empty if the account could not be read. */
  kinds: KindFindings[];
  operations: OperationFindings[];
  failures: FailedRequest[];
  /** `readable`: the number of facts that reads can show at all. */
  facts: { readable: number; findings: FactFinding[] };
  needs: CommandCheck[];
  /** With `--calibrate`: how the answers of a recording differ from those of the twin. */
  calibration?: Calibration;
}

/** What a report is made of. */
interface ReportInput {
  version: string;
  /** The time, in milliseconds. */
  now: number;
  evidence: Evidence;
  kinds: readonly Kind[];
  /** Returns the operations of the catalog by which a kind is read. */
  readOperationsOf(kind: Kind): readonly string[];
  examiner: AnswerExaminer;
  account: ExaminedAccount;
  needs: CommandCheck[];
  /** The code of the problem that prevented every request, such as a missing token. */
  problem?: string;
}

/**
 * Makes the report of `trueup doctor` from everything that was observed: the token, the account, the answers and their differences from the
 * published form, facts that they confirmed or contradicted, and whether the token suffices for the commands. Equal failures are listed
 * once. Without an account that could be read, `kinds` and `needs` are empty.
 */
export function createReport(input: ReportInput): DoctorReport {
  const { version, now, evidence, kinds, readOperationsOf, examiner, account, needs, problem } = input;
  const { owner, token, unreadable, failures, kindsWithObjects } = account;
  const operations = examiner.operations();
  const findings = toFactFindings(evidence, examiner.verdicts);
  const accountProblem = problem ?? account.ownerProblem;
  const findingsOf = (kind: Kind) => {
    const reads = readOperationsOf(kind);
    const read = operations.filter(({ operation }) => reads.includes(operation));
    return toKindFindings(kind, read, unreadable.get(kind.name) ?? 0, kindsWithObjects.has(kind.name));
  };
  return {
    formatVersion: '1.0',
    version,
    token: {
      state: stateOfToken(input),
      scope: token.scope ?? 'unknown',
      expiresInDays: token.expiresAt === undefined ? undefined : daysUntil(token.expiresAt, now),
      role: token.role,
    },
    account: {
      state: owner ? 'read' : 'unread',
      type: owner?.type,
      problem: accountProblem,
      lacksPersonalAccount: token.lacksPersonalAccount ? true : undefined,
    },
    // An account that could not be read shows nothing about kinds, and not what its token may do.
    kinds: owner ? kinds.map(findingsOf) : [],
    operations,
    failures: distinctFailures(failures),
    facts: { readable: evidence.facts.filter(({ answer }) => answer).length, findings },
    needs: owner ? needs : [],
  };
}

/**
 * Summarizes the answers to the reads of one kind (object type) for the report of `trueup doctor`: they fit,
 * differ, could not be read, or were not seen. `unreadable`: the number of its lists that could not be read. `hasObjects`: false
 * if the answers contained no object of the kind, and so confirm nothing.
 */
function toKindFindings(
  { name }: Kind,
  read: readonly OperationFindings[],
  unreadable: number,
  hasObjects: boolean,
): KindFindings {
  const isAnswered = hasObjects && read.length > 0;
  const resultIfAsPublished = isAnswered ? 'fits' : 'unread';
  const resultOfAnswers = read.some(isDifferent) ? 'differs' : resultIfAsPublished;
  const result = unreadable > 0 ? 'unreadable' : resultOfAnswers;
  return { kind: name, result, operations: read.map(({ operation }) => operation), unreadable };
}

/**
 * True if answers to an operation are not as trueup expects them. Unknown members and members that no kind reads cannot lead to wrong
 * plans.
 */
const isDifferent = ({ differences, pages }: OperationFindings): boolean =>
  pages === 'ignored' || differences.some(({ problem, isRead }) => isRead && problem !== 'unknown');

/** The codes of problems that mean that there is no token. */
const noTokenCodes = ['auth/no-token', 'auth/token-file', 'auth/fork'];

/**
 * Returns whether the platform accepted the token, as far as its answers show that, for the line about the token in
 * the report of `trueup doctor`. A token with impossible characters is never sent (`auth/token`) and counts as
 * refused.
 */
function stateOfToken({ problem, account }: ReportInput): DoctorReport['token']['state'] {
  if (problem && noTokenCodes.includes(problem)) return 'missing';
  if (problem === 'auth/token' || account.ownerProblem === 'auth/token') return 'refused';
  const isUsed = account.owner !== undefined || account.token.scope !== undefined;
  return isUsed ? 'accepted' : 'unknown';
}

/** Returns the full days until a time; negative after it. */
const daysUntil = (expiresAt: number | null, now: number): number | null =>
  expiresAt === null ? null : Math.floor((expiresAt - now) / 86_400_000);

/** Returns each kind of failure once, because a network that is down makes every read fail in the same way. */
function distinctFailures(failures: readonly FailedRequest[]): FailedRequest[] {
  const keyOf = ({ endpoint, status, code }: FailedRequest) => `${endpoint} ${status} ${code}`;
  return [...new Map(failures.map((failure) => [keyOf(failure), failure])).values()];
}

/** True if only a recording was examined, so that an unread account is no problem. */
const isOnlyRecording = ({ calibration, account }: DoctorReport): boolean =>
  calibration !== undefined &&
  account.state === 'unread' &&
  (account.problem === undefined || noTokenCodes.includes(account.problem));

/**
 * Returns the result of a report of `trueup doctor`, for its exit code. `later`: only rate limits are in the way, so that the command can
 * be repeated later. If only a recording was examined (`--calibrate` without a token), the unread account does not count: the result
 * depends on the comparison with that recording alone.
 */
export function healthOf(report: DoctorReport): 'healthy' | 'later' | 'unhealthy' {
  const { account, kinds, failures, facts, needs, calibration } = report;
  const isCalibrated =
    calibration === undefined ||
    (calibration.differs === 0 && !calibration.facts.some(isSeriousContradiction));
  if (isOnlyRecording(report)) return isCalibrated ? 'healthy' : 'unhealthy';
  const isRateLimited = account.problem === 'http/rate-limited';
  const isForLater = isRateLimited || failures.some((failure) => failure.isForLater);
  const lacksAccount = account.state !== 'read' && !isRateLimited;
  const hasLastingFailure = failures.some((failure) => !failure.isForLater);
  // If a rate limit was reached, it can be the reason why a kind could not be read.
  const hasWrongKind = kinds.some(
    ({ result }) => result === 'differs' || (result === 'unreadable' && !isForLater),
  );
  const contradictsFacts = !isCalibrated || facts.findings.some(isSeriousContradiction);
  const lacksAccess = lacksAccount || hasLastingFailure || !isSufficient(needs);
  if (lacksAccess || hasWrongKind || contradictsFacts) return 'unhealthy';
  return isForLater ? 'later' : 'healthy';
}

/** True for a contradicted fact on which errors of trueup are based. Other facts only lead to warnings. */
const isSeriousContradiction = ({ verdict, confidence }: FactFinding): boolean =>
  verdict === 'contradicted' && (confidence === 'documented' || confidence === 'measured');
