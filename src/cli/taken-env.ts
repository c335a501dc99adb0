import { isRefusedEnv } from '../config/refused-env.ts';
import type { Sealed } from '../model/sealed.ts';
import type { Host } from './host.ts';

/** What shells, systems, CI and Node set or read: a secret under such a name would change how programs run, or be another value. */
const usual = new Set(
  [
    'HOME LANG LANGUAGE LOGNAME MAIL OLDPWD PATH PWD SHELL SHLVL TEMP TERM TMP TMPDIR TZ USER USERNAME HOST HOSTNAME PORT',
    'COLORTERM COLUMNS LINES DISPLAY EDITOR VISUAL PAGER IFS ENV BASH_ENV PS1 CI DEBUG FORCE_COLOR NO_COLOR CLICOLOR',
    'NODE_ENV NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED SSL_CERT_FILE SSL_CERT_DIR',
    'HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY GIT_DIR GIT_SSH GIT_SSH_COMMAND LD_PRELOAD LD_LIBRARY_PATH',
  ].flatMap((names) => names.split(' ')),
);

/** Prefixes whose variables belong to somebody else: locales, loaders, desktop sessions, package and version managers. */
const owned = /^(LC|XDG|DYLD|NPM_CONFIG|GITHUB|RUNNER|CI)_/;

/**
 * Whether a secret of an export is better not read from the environment variable `name`: it may not be, means something else
 * to programs, or is set to something else here.
 */
export const isTakenOn =
  ({ env }: Host) =>
  (name: string, value: Sealed | undefined): boolean => {
    const held = env[name];
    const isOther = held !== undefined && (value === undefined || held !== value.reveal());
    return isRefusedEnv(name) || usual.has(name) || owned.test(name) || isOther;
  };
