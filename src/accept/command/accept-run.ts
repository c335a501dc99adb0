import type { Port } from '../../app/port.ts';
import type { Session } from '../../app/session/session.ts';
import type { StackOptions } from '../../app/stack-options.ts';
import type { ConfigurationText, WrittenConfiguration } from '../../config/configuration.ts';
import type { Provider } from '../../kind/provider.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Planned } from '../../run/open-plan.ts';
import type { ChangedFile } from '../changed-files.ts';

/** The options of `trueup accept`. */
export interface AcceptOptions extends StackOptions {
  /** Accept everything that was changed outside since the last apply. */
  all?: boolean;
  autoApprove?: boolean;
  /** Globs of live objects to declare although the configuration does not have them. */
  new?: string[];
  /** Globs of objects whose values are written even though they may be secrets. */
  values?: string[];
}

/** The port of an accept, with the questions and reports that depend on the terminal. */
export interface AcceptPort extends Port {
  /** Shows the difference of the files. */
  out(text: string): void;
  /** Reports parts of the account that could not be read. `isRequested`: one of them was to be accepted, so the command fails. */
  reportUnread(problems: Diagnostic[], isRequested: boolean): void;
  /** Asks whether to write the files. */
  confirm(files: readonly ChangedFile[]): Promise<boolean>;
}

/** The configuration keeps its text, because an accept edits it. */
export type AcceptSession = Session & { configuration: WrittenConfiguration };

/** An accept after its plan. */
export interface AcceptRun {
  provider: Provider;
  /** The addresses or globs that the user named; empty for `--all`, and if only `--new` names objects. */
  addresses: string[];
  options: AcceptOptions;
  port: AcceptPort;
  session: AcceptSession;
  planned: Planned;
  /** The texts that may be edited. */
  written: ConfigurationText;
}
