// com.auth0:java-jwt
import com.auth0.jwt.JWT;
import com.auth0.jwt.algorithms.Algorithm;
import java.util.Date;
import java.util.Map;

public class Java {
    public static void main(String[] args) {
        long now = System.currentTimeMillis();
        String token = JWT.create()
            .withHeader(Map.of("typ", "pay-order+jwt"))
            .withKeyId("k1")
            .withJWTId("order-10042") // your order's number: one number, one order
            .withAudience("https://shop.example/pay") // public_url of the relay
            .withIssuedAt(new Date(now))
            .withExpiresAt(new Date(now + 3_600_000)) // 24 h at most
            .withClaim("amount", "19.90") // a decimal string, never a number
            .withClaim("currency", "USD")
            .withClaim("product_name", "T-shirt")
            .withClaim("customer_ref_id", "customer-42")
            .sign(Algorithm.HMAC256(System.getenv("ORDER_TOKEN_KEY")));

        System.out.println(token);
    }
}
