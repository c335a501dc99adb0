import { execFileSync } from 'node:child_process';

/** Runs git in a folder, as somebody. */
export const gitIn = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], {
    cwd,
    encoding: 'utf8',
  });
