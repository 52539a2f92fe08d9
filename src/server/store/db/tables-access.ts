import type { Generated } from 'kysely'
import type { WitnessKind } from '../../../contract/epochs.ts'
import type { RetainedWhy } from '../../../contract/retained-deliveries.ts'
import type { StationKind } from '../../../contract/stations.ts'
import type { Role } from '../../../contract/values.ts'

/** Tables of people, devices and log-ins; as `Tables`. */
export type AccessTables = {
  users: {
    id: Generated<number>
    username: string
    full_name: string
    role: Role
    password_hash: string
    long_password: number | null
    active: number
    created_at: number
    /** Null: a local user. gone: the directory has deactivated the user, and may let the person in again. */
    directory: 'present' | 'gone' | null
  }
  sessions: {
    id: string
    user_id: number
    /** Born in a browser: the token is worth nothing without its cookie. */
    browser: number
    device_name: string
    created_at: number
    expires_at: number
    last_used_at: number
    revoked_at: number | null
    /** Null while the session is live, when it expired, and in rows of older versions. */
    ended_why: EndedWhy | null
    /** By what its browser is known, see `devices.ts`; null where a program logged in, and in rows of versions before. */
    device: string | null
    /** When its password was typed again; null: at the log-in only. */
    password_at: number | null
    /** 1: opened by badge and PIN. With an operator's permissions until `password_at` is set. */
    by_badge: number | null
    /** 1: opened on a board, for that alone. */
    board: number | null
    /** 'Chrome · Windows' and the address that it was opened from; null in sessions of versions before. */
    agent: string | null
    address: string | null
    /** The version that its page said last, and how many recordings wait on that device. Null: it has not yet. */
    page_version: string | null
    waiting: number | null
    /** When somebody touched one of its pages last, as far as they have said. */
    touched_at: number | null
  }
  /** People with a badge or a PIN; without a code there is no badge. */
  badges: {
    user_id: number
    /** SHA-256, hex. The code itself is printed once and stored nowhere. */
    code_hash: string | null
    issued_at: number | null
    pin_hash: string | null
    /** Until an administrator unblocks it. */
    blocked_at: number | null
    /** Wrong PINs since the owner was last told of them, at a log-in; null: none. */
    wrong_pins: number | null
    wrong_since: number | null
    /** Written by versions before, read by none. */
    last_lock_at: number | null
    earlier_lock_at: number | null
  }
  /** Devices on which badges hold, and boards. */
  stations: {
    id: Generated<number>
    device: string
    name: string
    enrolled_by: string
    enrolled_at: number
    /** Null: shared, in rows of versions before. */
    kind: StationKind | null
    /** SHA-256 of what the server gave it at its enrolment; null in rows of versions before. */
    secret_hash: string | null
  }
  /** Log-ins by device. */
  device_users: { device: string; user_id: number; entered_at: number }
  session_secrets: {
    /** SHA-256, hex. The secret itself is nowhere on the server. */
    hash: string
    session_id: string
    kind: 'token' | 'cookie'
    generation: number
    /** Set when a younger pair is first used. */
    valid_until: number | null
  }
  /** Witnesses of an epoch that this database lacks; `dismissed` 1: an administrator says that nothing is missing. */
  epoch_witnesses: {
    epoch: string
    kind: WitnessKind
    device: string
    /** The number of a mark, or the act of a receipt. */
    subject: string
    /** The user logged in there. */
    user_id: number
    seen_at: number
    dismissed: number
  }
  login_throttles: { name: string; failures: number; next_at: number; updated_at: number }
}

/**
 * Why a session ended before its time. logout, own_password, new_pin (of the badge that opened it), limit, idle (nobody touched it), replaced (by a
 * younger one on its device) and new_epoch (of the database) cast no doubt on who had it; the rest do.
 */
export type EndedWhy =
  | 'logout'
  | 'own_password'
  | 'new_pin'
  | 'limit'
  | 'idle'
  | 'replaced'
  | 'new_epoch'
  | Extract<RetainedWhy, 'admin' | 'other_device' | 'admin_password' | 'deactivated' | 'secret_reused'>
