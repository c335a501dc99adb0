/** The processes of this machine, as far as ours has to know them. */
export interface Processes {
  /** The number of our own. */
  pid: number;
  /** Whether there is one of this number. */
  isRunning(pid: number): boolean;
}
