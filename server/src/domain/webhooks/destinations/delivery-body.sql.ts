/**
 * The bytes that a delivery carries, as SQL over an event and the audience of its destination. A merchant's stand in the event. A
 * buyer's are put together from what stands there: the object is text that was frozen with the change, and everything around it is
 * fixed by the event's own columns, so that every attempt has the same bytes without storing them twice. For that reason this text
 * belongs to what is stored: changing it would change the bytes of deliveries that are under way.
 */
export function deliveryBody(audience: string, event: string): string {
  return `case when ${audience} = 'merchant' or ${event}.type = 'destination.test' then ${event}.envelope
     else '{"id":"' || ${event}.id || '","object":"event","type":"' || ${event}.type || '","api_version":"v1","mode":"' || ${event}.mode
       || '","created_at":"' || to_char(${event}.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","data":{'
       || case when ${event}.type like 'cart.%'
         then '"purchase_intent_id":"' || ${event}.aggregate_id || '","cart":' || ${cartIn(`${event}.object`)}
         else '"' || split_part(${event}.type, '.', 1) || '":' || ${event}.object end
       || '}}' end`
}

/**
 * The one cart of a cart's event, `{"id":…,"status":…,"carts":[…]}`, as it was written: taken as text, since the database reads JSON
 * more strictly than JavaScript writes it.
 */
function cartIn(object: string): string {
  return `coalesce(nullif(left(substr(${object}, strpos(${object}, '"carts":[') + 9), -2), ''), 'null')`
}
