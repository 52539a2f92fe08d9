/** A shift: so long nobody works without touching a screen. */
const PLANT_MINUTES = 480
/** At a station the next person comes soon. */
const STATION_MINUTES = 15

type Device = {
  /** `IDLE_MINUTES`; null: nobody has chosen. */
  chosen: number | null
  mode: 'plant' | 'demonstration'
  isSharedStation: boolean
}

/** After how many minutes without a touch a session of this device ends; 0: never. */
export function idleMinutesOf({ chosen, mode, isSharedStation }: Device): number {
  if (chosen !== null) return chosen
  if (mode === 'demonstration') return 0
  return isSharedStation ? STATION_MINUTES : PLANT_MINUTES
}
